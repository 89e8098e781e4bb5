"""Predictions, exercises, tries, rules, pictures, footnotes, terms and planned lessons, from the folder to the model."""

import pytest

from app.lessons.model.model import CellPlace, ExercisePlace, Lesson, PredictionPlace, Prose, RulePlace, TryPlace
from tests.lessons.course_folder import CourseFolder
from tests.lessons.doing_folder import add_doing


@pytest.fixture
def doing(course: CourseFolder) -> CourseFolder:
    return add_doing(course)


def lesson_of(course: CourseFolder) -> Lesson:
    catalogue = course.load()
    assert catalogue.problems == ()
    lesson = catalogue.lesson("one/first")
    assert lesson is not None
    return lesson


def test_a_text_places_what_the_learner_does(doing: CourseFolder) -> None:
    blocks = lesson_of(doing).texts["en"].blocks
    places = [block for block in blocks if not isinstance(block, Prose)]
    assert places == [
        PredictionPlace("how-much"),
        CellPlace("double"),
        PredictionPlace("which"),
        CellPlace("fails"),
        TryPlace("triple", "<p>Write a 3.</p>\n"),
        ExercisePlace("fill"),
        ExercisePlace("probe"),
        RulePlace("<p><strong>Double it.</strong></p>\n"),
    ]


def test_a_prediction_has_its_answer_and_its_words(doing: CourseFolder) -> None:
    prediction = lesson_of(doing).prediction("how-much")
    assert prediction is not None
    assert (prediction.cell_id, prediction.asks, prediction.answer, prediction.tolerance) == ("double", "value", 2, 0.1)
    assert prediction.reads == "a = {}"
    words = prediction.texts["en"]
    assert words.question.startswith("<p>How much is")
    assert list(words.wrong) == [3]
    assert "<math" in words.why


def test_the_choices_of_a_prediction_are_the_list_in_its_text(doing: CourseFolder) -> None:
    prediction = lesson_of(doing).prediction("which")
    assert prediction is not None
    assert prediction.texts["zh-Hans"].question == "<p>What comes of it?</p>\n"
    assert prediction.texts["zh-Hans"].choices == ("An exception.", "The number <code>2</code>.")
    first, second = prediction.choices
    assert (first.raises, first.outcome, "stdout" in first.lines) == ("ValueError", "raised", False)
    assert (second.raises, second.stdout, "stdout" in second.lines, "outcome" in second.lines) == (None, ("2",), True, True)


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ("asks = 'shape'\nanswer = [2, 3]", (2, 3)),
        ("asks = 'shape'\nanswer = []", ()),
        ("asks = 'verdict'\nanswer = 'fails'\ncheck = 'gradgradcheck'", "fails"),
        ("asks = 'isolated'\nnames = ['x', 'y']\nanswer = 'none'", "none"),
        ("asks = 'nodes'\nanswer = 3\ntolerance = 1", 3),
        ("asks = 'value'\nanswer = 2.5", 2.5),
    ],
)
def test_an_answer_is_of_its_kind(doing: CourseFolder, keys: str, answer: object) -> None:
    doing.replace("one/first/lesson.toml", 'asks = "value"\nanswer = 2\ntolerance = 0.1\nreads = "a = {}"', keys)
    for lang in ("en", "zh-Hans"):
        doing.replace(f"one/first/{lang}.md", ":::{wrong} 3\nNo, as [a note](term:incoming) says.\n:::\n", "")
    prediction = lesson_of(doing).prediction("how-much")
    assert prediction is not None
    assert prediction.answer == answer


def test_a_line_is_predicted_of_a_cell_that_raises(doing: CourseFolder) -> None:
    choices = '[[prediction.choice]]\nraises = "ValueError"\n\n[[prediction.choice]]\nstdout = ["2"]\noutcome = "finished"'
    old = f'asks = "choice"\nanswer = 1\n\n{choices}'
    doing.replace("one/first/lesson.toml", old, 'asks = "line"\nanswer = 1')
    prediction = lesson_of(doing).prediction("which")
    assert prediction is not None
    assert prediction.answer == 1
    assert "<ul>" in prediction.texts["en"].question


def test_a_value_without_a_tolerance_has_a_small_one(doing: CourseFolder) -> None:
    doing.replace("one/first/lesson.toml", "tolerance = 0.1\n", "")
    prediction = lesson_of(doing).prediction("how-much")
    assert prediction is not None
    assert prediction.tolerance == pytest.approx(2e-6)


def test_a_try_spells_out_its_edits(doing: CourseFolder) -> None:
    [one] = lesson_of(doing).tries
    assert [(edit.cell_id, edit.find, edit.replace) for edit in one.edits] == [("double", "2", "3"), ("fails", "int", "")]
    assert one.shows is not None
    assert one.shows.stdout == ("3",)


def test_a_try_says_what_to_do_and_then_what_comes_of_it(doing: CourseFolder) -> None:
    doing.replace("one/first/en.md", "Write a 3.\n", "- Write a 3.\n- Run it.\n\nIt is 3.\n\nAnd more.\n")
    [place] = [block for block in lesson_of(doing).texts["en"].blocks if isinstance(block, TryPlace)]
    assert place.html == "<ul>\n<li>Write a 3.</li>\n<li>Run it.</li>\n</ul>\n"
    assert place.outcome_html == "<p>It is 3.</p>\n<p>And more.</p>\n"


def test_a_cell_may_be_for_the_checks_alone(doing: CourseFolder) -> None:
    doing.replace("one/first/lesson.toml", 'id = "double"\n', 'id = "double"\nfor_checks = true\n')
    assert [cell.for_checks for cell in lesson_of(doing).cells] == [True, False]


def test_an_exercise_asks_for_its_own_memory_and_else_for_the_lessons(doing: CourseFolder) -> None:
    lesson = (doing.folder / "one/first/lesson.toml").read_text(encoding="utf-8")
    doing.write("one/first/lesson.toml", f"limits.memory_bytes = 268435456\n{lesson}")
    doing.replace("one/first/exercises/fill/exercise.toml", "deadline_seconds = 20", "memory_bytes = 134217728")
    asks = {exercise.id: exercise.asks for exercise in lesson_of(doing).exercises}
    assert asks == {"fill": {"memory_bytes": 134217728}, "probe": {"memory_bytes": 268435456}}


def test_an_exercise_has_its_programs_and_its_words(doing: CourseFolder) -> None:
    exercise = lesson_of(doing).exercise("fill")
    assert exercise is not None
    assert (exercise.kind, exercise.after, exercise.asks) == ("blank", ("double",), {"deadline_seconds": 20})
    assert (exercise.functions, exercise.bans) == (("Double",), ("torch.exp",))
    assert exercise.solution == "b = 2 * a\n"
    assert set(exercise.solutions) == {"solution", "sum", "shift"}
    assert [(check.id, check.hidden) for check in exercise.checks] == [("right-value", False), ("unseen", True)]
    assert exercise.mistakes == {"by-three": "b = 3 * a\n"}
    words = exercise.texts["en"]
    assert (words.title, words.hints, words.after) == ("Fill it in", ("<p>The first.</p>\n", "<p>The second.</p>\n"), "<p>Well done.</p>\n")
    assert words.checks == {"right-value": "It is the double of a"}
    assert words.mistakes == {"by-three": "<p>That is three.</p>\n"}


def test_an_exercise_bans_operators_too(doing: CourseFolder) -> None:
    doing.replace("one/first/exercises/fill/exercise.toml", 'bans = ["torch.exp"]', 'bans = ["torch.exp", "**", "@", "*", "/", "+", "-"]')
    exercise = lesson_of(doing).exercise("fill")
    assert exercise is not None
    assert exercise.bans == ("torch.exp", "**", "@", "*", "/", "+", "-")


def test_an_exercise_of_the_kind_test_has_right_programs_and_mutants(doing: CourseFolder) -> None:
    exercise = lesson_of(doing).exercise("probe")
    assert exercise is not None
    assert (exercise.examines, exercise.subject) == ("check", "double")
    assert (list(exercise.right), list(exercise.mutants)) == (["plain"], ["no-factor"])
    assert exercise.texts["en"].mutants == {"no-factor": "<p>It leaves the factor out.</p>\n"}


def test_a_picture_has_its_words_its_size_and_an_address_of_its_content(doing: CourseFolder) -> None:
    catalogue = doing.load()
    lesson = lesson_of(doing)
    [image] = lesson.images
    prose = "".join(block.html for block in lesson.texts["en"].blocks if isinstance(block, Prose))
    assert f'<img src="{image.address}" alt="Two boxes, and an arrow between them" width="40" height="20"' in prose
    assert image.address.startswith("/lessons/one/first/images/") and image.address.endswith("/chain.svg")
    found = catalogue.image(image.address)
    assert found is not None
    assert found.media_type == "image/svg+xml"
    assert catalogue.image("/lessons/one/first/images/../lesson.toml") is None
    before = image.address
    doing.replace("one/first/images/chain.svg", "4", "5")
    assert lesson_of(doing).images[0].address != before


def test_a_footnote_leads_there_and_back_and_is_alone_on_its_page(doing: CourseFolder) -> None:
    lesson = lesson_of(doing)
    prose = "".join(block.html for block in lesson.texts["en"].blocks if isinstance(block, Prose))
    assert '<a href="#note-1" id="note-1-from-1" role="doc-noteref" aria-label="Note 1">1</a>' in prose
    assert '<li id="note-1">' in prose and 'href="#note-1-from-1" role="doc-backlink"' in prose
    exercise = lesson.exercise("fill")
    assert exercise is not None
    assert 'id="fill-note-1"' in exercise.texts["en"].html
    assert 'aria-label="注 1"' in exercise.texts["zh-Hans"].html


def test_a_collapsible_answer_is_details(doing: CourseFolder) -> None:
    prose = "".join(getattr(block, "html", "") for block in lesson_of(doing).texts["en"].blocks)
    assert '<details class="answer">\n<summary>What happens</summary>\n<p>It is <em>more</em>.</p>\n</details>' in prose


def test_a_term_leads_to_the_glossary_and_is_listed(doing: CourseFolder) -> None:
    text = lesson_of(doing).texts["zh-Hans"]
    assert '<a class="term" href="/zh-Hans/glossary#term-incoming" data-term="incoming">' in text.lede_html
    assert text.terms == ("incoming",)
    term = doing.load().terms["incoming"]
    assert (term.name["zh-Hans"], term.lesson) == ("上游梯度", "one/later")
    assert term.html["en"] == 'What <em>comes</em> in, see <a href="/en/one/second">second</a>.'


def test_a_link_to_a_planned_lesson_is_words_that_say_so(doing: CourseFolder) -> None:
    catalogue = doing.load()
    prediction = lesson_of(doing).prediction("how-much")
    assert prediction is not None
    assert '<span class="planned">it <small class="planned-mark">(planned)</small></span>?' in prediction.texts["en"].question
    [planned] = catalogue.course.chapters[0].coming
    assert (planned.id, planned.title["en"]) == ("later", "Later")


def test_a_lesson_requires_others(doing: CourseFolder) -> None:
    assert lesson_of(doing).requires == ("one/second", "one/later")
