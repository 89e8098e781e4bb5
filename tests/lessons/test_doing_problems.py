"""Each mistake in a prediction, exercise, try-it, picture, footnote or term is reported with file, line and what was expected."""

import shutil

import pytest

from tests.lessons.course_folder import CourseFolder
from tests.lessons.doing_folder import add_doing

LESSON = "one/first/lesson.toml"
EN = "one/first/en.md"
ZH = "one/first/zh-Hans.md"
FILL = "one/first/exercises/fill"
PROBE = "one/first/exercises/probe"


@pytest.fixture
def doing(course: CourseFolder) -> CourseFolder:
    return add_doing(course)


def assert_told(course: CourseFolder, file: str, line: int, message: str) -> None:
    problems = course.load().problems
    assert any((one.file, one.line) == (file, line) and message in one.message for one in problems), "\n".join(map(str, problems))


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (
            'asks = "value"',
            'asks = "valu"',
            20,
            'asks: expected one of "value", "shape", "choice", "verdict", "line", "isolated", "nodes", got "valu"',
        ),
        ('asks = "value"', "", 17, 'expected the key "asks"'),
        ('cell = "double"\nasks', 'cell = "dubble"\nasks', 19, 'cell: there is no cell "dubble" (did you mean "double"?)'),
        ("answer = 2\n", "", 17, 'expected the key "answer", a number'),
        ("answer = 2\n", 'answer = "2"\n', 21, 'answer: expected a number, got "2"'),
        ("answer = 2\n", "answer = nan\n", 21, "answer: expected a number, got nan"),
        ("tolerance = 0.1", "tolerance = -1", 22, "tolerance: expected a number, 0 or more, got -1"),
        ('reads = "a = {}"', 'reads = "a = "', 23, "reads: expected the printed line, with {} once, in place of the answer"),
        ('reads = "a = {}"', 'names = ["a"]', 23, 'unknown key "names"'),
        ('id = "which"', 'id = "how-much"', 26, 'there are two predictions "how-much"'),
        ("answer = 1", "answer = 3", 29, "answer: expected a whole number from 1 to 2, got 3"),
        (
            '[[prediction.choice]]\nstdout = ["2"]\noutcome = "finished"',
            "",
            31,
            "expected a table [[prediction.choice]] for each choice, two or more, got 1",
        ),
        (
            'raises = "ValueError"\n\n[[prediction.choice]]',
            "\n\n[[prediction.choice]]",
            31,
            "expected what the run shows if this choice is right",
        ),
        ('outcome = "finished"', 'outcom = "finished"', 36, 'unknown key "outcom" (did you mean "outcome"?)'),
        (
            'asks = "value"\nanswer = 2',
            "asks = 'shape'\nanswer = [2, 1.5]",
            21,
            "answer: expected a whole number from 0 to 100000, got 1.5",
        ),
        ('asks = "value"\nanswer = 2', "asks = 'verdict'\nanswer = 'pass'", 21, 'answer: expected one of "passes", "fails", got "pass"'),
        ('asks = "value"\nanswer = 2', "asks = 'line'\nanswer = 9", 21, "answer: expected a whole number from 1 to 2, got 9"),
        (
            'asks = "value"\nanswer = 2',
            "asks = 'line'\nanswer = 1",
            19,
            'cell: "double" raises nothing: expected a cell with the key raises',
        ),
        (
            'asks = "value"\nanswer = 2',
            "asks = 'isolated'\nnames = ['a', 'b']\nanswer = 'c'",
            22,
            'answer: expected one of "a", "b", "none", got "c"',
        ),
        (
            'asks = "value"\nanswer = 2',
            "asks = 'isolated'\nnames = ['a']\nanswer = 'a'",
            21,
            "names: expected two boxes or more to choose from, got 1",
        ),
        (
            'find = "2", replace',
            'find = "4", replace',
            41,
            'find: expected a piece of double.py that occurs there exactly once, got 0 times "4"',
        ),
        (
            'find = "2", replace',
            'find = "2\\n", replace',
            41,
            'find: expected a piece of double.py that occurs there exactly once, got 0 times "2',
        ),
        (', replace = "3"', "", 41, 'expected the key "replace", what takes its place'),
        ('cell = "double", find', 'cell = "other", find', 41, 'cell: expected the cell that is run or one that it continues, got "other"'),
        ('cell = "fails"\nedits', 'cell = "fail"\nedits', 40, 'cell: there is no cell "fail" (did you mean "fails"?)'),
        (
            'requires = ["one/second"',
            'requires = ["one/secnd"',
            2,
            'there is no lesson "one/secnd", nor is it planned (did you mean "one/second"?)',
        ),
    ],
)
def test_a_mistake_in_lesson_toml(doing: CourseFolder, old: str, new: str, line: int, message: str) -> None:
    doing.replace(LESSON, old, new)
    assert_told(doing, LESSON, line, message)
    assert doing.load().lesson("one/first") is None


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("{predict} how-much", "{predict} how-mch", 5, 'there is no prediction "how-mch" in lesson.toml (did you mean "how-much"?)'),
        ("{predict} how-much", "{predict} how-mch", 1, 'the prediction "how-much" is not placed: expected :::{predict} how-much'),
        ("{predict} how-much", "{predict}", 5, "expected the prediction's id after {predict}"),
        ("How much is [it](../later)?\n", "", 5, "the prediction how-much: expected a question"),
        (":::{why}\nBecause $2 = 2$.\n:::\n", "", 5, "the prediction how-much: expected :::{why} inside"),
        (":::{why}\nBecause", ":::{why} Because\nBecause", 11, 'expected nothing after {why}, got "Because"'),
        (":::{why}\nBecause $2 = 2$.\n:::", ":::{why}\n:::", 11, "expected words inside the directive {why}"),
        ("{wrong} 3", "{wrong} three", 8, '"three" is not an answer to how-much: expected a number'),
        ("{wrong} 3", "{wrong} nan", 8, '"nan" is not an answer to how-much: expected a number'),
        ("{wrong} 3", "{wrong} 2.05", 8, "2.05 is the right answer to how-much: what is said about it belongs in :::{why}"),
        (":::{wrong} 3\n", ":::{wrong} 3\nNo.\n:::\n:::{wrong} 3\n", 11, "the wrong answer 3 is already explained"),
        (":::{wrong} 3\n", ":::{wrong} 3\nNo.\n:::\n:::{wrong} 3.0\n", 11, "the wrong answer 3.0 is already explained"),
        (
            "::::{predict} how-much",
            ":::{predict} how-much",
            14,
            "this :::: closes nothing: a directive that contains others has more colons",
        ),
        ("- The number `2`.", "", 26, "expected one list with a choice for each [[prediction.choice]], 2, got 1"),
        ("- An exception.\n- The number `2`.\n", "", 23, "expected one list with a choice for each [[prediction.choice]], 2, got 0 lists"),
        (":::{rule}\n**Double it.**\n:::", "- :::{rule}\n  **Double it.**\n  :::", 51, "{rule} stands alone: not in a list"),
        (
            ":::{rule}",
            ":::{why}\nNo.\n:::\n:::{rule}",
            51,
            "{why} belongs directly inside :::{predict}, which has more colons: ::::{predict}",
        ),
        (":::{rule}", ":::{hint}\nNo.\n:::\n:::{rule}", 51, "{hint} belongs in an exercise's text"),
        ("{try} triple", "{try} tripl", 37, 'there is no try "tripl" in lesson.toml (did you mean "triple"?)'),
        ("{exercise} fill", "{exercise} fil", 45, 'there is no exercise "fil" in exercises/ (did you mean "fill"?)'),
        (":::{exercise} fill\n:::\n", "", 1, 'the exercise "fill" is not placed: expected :::{exercise} fill'),
        ("{answer} What happens", "{answer}", 41, "expected the words that open it after {answer}"),
        (
            "![Two boxes, and an arrow between them]",
            "![]",
            21,
            "expected ![what it shows](images/chain.svg): a picture has an alternative text",
        ),
        ("(images/chain.svg)", '(images/chain.svg "A chain")', 21, "a picture has no title"),
        (
            "(images/chain.svg)",
            "(images/chian.svg)",
            21,
            'there is no picture "images/chian.svg" in the lesson\'s folder images/ (did you mean',
        ),
        ("(images/chain.svg)", "(../../../x.svg)", 21, 'there is no picture "../../../x.svg"'),
        ("(term:incoming)", "(term:incomming)", 3, 'there is no term "incomming" in glossary.toml (did you mean "incoming"?)'),
        ("(../later)", "(../latr)", 6, 'there is no lesson "../latr" (did you mean "../later"?)'),
        ("footnote[^1]", "footnote[^2]", 19, "there is no footnote [^2]: expected a line that begins with [^2]:"),
        ("footnote[^1]", "footnote", 55, "nothing refers to this footnote: expected [^1] in the text"),
        ("The lede, with", "The lede[^1], with", 3, "a footnote belongs below the lede, which the map shows too"),
    ],
)
def test_a_mistake_in_a_text(doing: CourseFolder, old: str, new: str, line: int, message: str) -> None:
    doing.replace(EN, old, new)
    assert_told(doing, EN, line, message)
    assert doing.load().lesson("one/first") is None


def test_a_prediction_after_its_cell(doing: CourseFolder) -> None:
    doing.replace(EN, ":::{cell} fails\n:::\n\n", "")
    doing.replace(EN, "::::{predict} which", ":::{cell} fails\n:::\n\n::::{predict} which")
    assert_told(doing, EN, 26, 'expected the prediction "which" before its cell "fails" (line 23)')


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "message"),
    [
        ("fill/exercise.toml", 'kind = "blank"', 'kind = "blanc"', 1, 'kind: expected one of "blank", "fix", "write", "test", got "blanc"'),
        ("fill/exercise.toml", 'kind = "blank"', "", 1, 'expected the key "kind"'),
        ("fill/exercise.toml", 'after = ["double"]', 'after = ["dbl"]', 2, 'after: there is no cell "dbl" (did you mean "double"?)'),
        ("fill/exercise.toml", 'after = ["double"]', 'after = ["fails"]', 2, 'after: "fails" continues double: expected that before it'),
        (
            "fill/exercise.toml",
            "deadline_seconds = 20",
            "memory_bytes = 1000",
            3,
            "memory_bytes: expected a whole number from 67108864 to 17179869184, got 1000",
        ),
        ("fill/exercise.toml", "deadline_seconds = 20", "memory_byte = 1", 3, 'unknown key "memory_byte" (did you mean "memory_bytes"?)'),
        ("fill/exercise.toml", 'functions = ["Double"]', 'functions = ["a.b"]', 4, 'functions: expected the name of a class, got "a.b"'),
        (
            "fill/exercise.toml",
            'bans = ["torch.exp"]',
            'bans = ["torch."]',
            5,
            'bans: expected a dotted name, like "torch.exp", or an operator, like "**", got "torch."',
        ),
        ("fill/exercise.toml", "hidden = true", 'hidden = "yes"', 10, 'hidden: expected true or false, got "yes"'),
        ("fill/exercise.toml", 'id = "unseen"', 'id = "right-value"', 9, 'there are two checks "right-value"'),
        (
            "fill/exercise.toml",
            'id = "unseen"',
            'id = "unsen"',
            9,
            'there is no check "unsen" in checks.py: expected @check def unsen() (did you mean "unseen"?)',
        ),
        ("fill/exercise.toml", 'id = "unseen"', 'id = "unsen"', 9, "there is no check"),
        ("fill/checks.py", "def unseen", "def other", 8, 'the check "other" is not in exercise.toml: expected a [[check]] with this id'),
        (
            "fill/checks.py",
            "def by_three",
            "def by_four",
            12,
            'the mistake "by-four" has no program that triggers it: expected mistakes/by_four.py',
        ),
        (
            "fill/checks.py",
            "def by_three",
            f"def {'b' * 65}",
            12,
            f'the mistake "{"b" * 65}" has a long name: expected at most 64 characters',
        ),
        ("fill/checks.py", "def by_three():", "def by_three()", 12, "this is not Python: expected ':'"),
        ("fill/en.md", "# Fill it in", "Fill it in", 1, "expected a title, # …, and then the task"),
        ("fill/en.md", "# Fill it in", "# Fill it in\n\n## Now", 3, "an exercise has a title, and no headings below"),
        (
            "fill/en.md",
            "{mistake} by-three",
            "{mistake} by-tree",
            13,
            'there is no mistake "by-tree" in mistakes/ (did you mean "by-three"?)',
        ),
        (
            "fill/en.md",
            "{mistake} by-three",
            "{mistake} by-tree",
            1,
            "the mistake by-three is not explained: expected :::{mistake} by-three",
        ),
        ("fill/en.md", "{check} right-value", "{check} unseen", 17, 'the check "unseen" is hidden: it is counted, and has no title'),
        ("fill/en.md", "It is the double of `a`", "- It is", 17, "expected the check's title, one line of plain words"),
        (
            "fill/en.md",
            "{hint}",
            "{cell} double",
            5,
            "a cell stands alone: not in a list, a quotation or a callout, and in a lesson's text",
        ),
        ("fill/en.md", "../../images/chain.svg", "images/chain.svg", 3, 'did you mean "../../images/chain.svg"?'),
        ("fill/en.md", "(../second)", "(../secnd)", 3, 'there is no lesson "../secnd" (did you mean "../second"?)'),
        (
            "probe/exercise.toml",
            'examines = "check"\n',
            "",
            1,
            'expected the key "examines", the name of the check that the learner writes',
        ),
        ("probe/exercise.toml", 'subject = "double"', 'subject = "double"\n[[check]]\nid = "a"', 4, 'unknown key "check"'),
        ("probe/en.md", "{mutant} no-factor", "{mutant} factor", 1, "the mutant no-factor is not explained"),
    ],
)
def test_a_mistake_in_an_exercise(doing: CourseFolder, file: str, old: str, new: str, line: int, message: str) -> None:
    doing.replace(f"one/first/exercises/{file}", old, new)
    assert_told(doing, f"one/first/exercises/{file}", line, message)
    assert doing.load().lesson("one/first") is None


@pytest.mark.parametrize(
    ("file", "told", "message"),
    [
        ("fill/starter.py", "fill/starter.py", "expected what the learner starts from, the file is missing"),
        ("fill/solution.py", "fill/solution.py", "expected the solution that is shown, the file is missing"),
        ("fill/checks.py", "fill/checks.py", "expected what decides whether it is solved, the file is missing"),
        ("fill/exercise.toml", "fill/exercise.toml", 'expected what the exercise "fill" is, the file is missing'),
        ("fill/zh-Hans.md", "fill/zh-Hans.md", "expected the exercise's words in the language zh-Hans, the file is missing"),
        ("probe/right/plain.py", "probe/exercise.toml", 'kind "test": expected a program in right/, one or more'),
        ("probe/mutants/no_factor.py", "probe/exercise.toml", 'kind "test": expected a program in mutants/, one or more'),
    ],
)
def test_a_file_of_an_exercise_is_missing(doing: CourseFolder, file: str, told: str, message: str) -> None:
    (doing.folder / "one/first/exercises" / file).unlink()
    assert_told(doing, f"one/first/exercises/{told}", 1, message)


@pytest.mark.parametrize(
    ("file", "told", "message"),
    [
        ("fill/start.py", "fill/start.py", "this file is not used"),
        ("fill/mutants/a.py", "fill/exercise.toml", 'right/ and mutants/ belong to the kind "test", and this is "blank"'),
        ("fill/mistakes/by_four.py", "fill/mistakes/by_four.py", "expected @mistake def by_four() in checks.py"),
        ("probe/checks.py", "probe/exercise.toml", 'kind "test" has no checks.py and no mistakes/'),
        ("Fill-2/a", "Fill-2/exercise.toml", '"Fill-2" is not an id'),
        (
            f"{'f' * 56}/a",
            f"{'f' * 56}/exercise.toml",
            f'"{"f" * 56}" is not an id: expected small letters, digits and single hyphens, at most 55',
        ),
    ],
)
def test_a_file_of_an_exercise_is_too_much(doing: CourseFolder, file: str, told: str, message: str) -> None:
    doing.write(f"one/first/exercises/{file}", "")
    assert_told(doing, f"one/first/exercises/{told}", 1, message)


def test_a_folder_that_git_left_behind_is_no_exercise(doing: CourseFolder) -> None:
    shutil.rmtree(doing.folder / FILL)
    (doing.folder / FILL).mkdir()
    assert {one.message for one in doing.load().problems} == {'there is no exercise "fill" in exercises/ (did you mean "probe"?)'} or all(
        one.file in (EN, ZH) for one in doing.load().problems
    )


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("chain.svg", "<svg", "this is not an SVG"),
        ("chain.svg", "<html/>", 'this is not an SVG: expected <svg xmlns="http://www.w3.org/2000/svg">'),
        ("chain.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>', 'expected a viewBox="0 0 width height"'),
        ("chain.svg", '<!DOCTYPE svg><svg xmlns="http://www.w3.org/2000/svg"/>', "expected an SVG without a DOCTYPE"),
        ("chain.svg", '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', "<script> is not available in a picture"),
        ("chain.svg", '<svg xmlns="http://www.w3.org/2000/svg" onload="a()"/>', 'onload="a()" is not available in a picture'),
        (
            "chain.svg",
            '<svg xmlns="http://www.w3.org/2000/svg"><use href="https://a"/></svg>',
            'href="https://a" is not available in a picture',
        ),
        ("box.png", "no", "this is not a PNG"),
        ("Box.gif", "no", 'expected a picture whose name is like "chain-rule.svg" or "chain-rule.png", got "Box.gif"'),
        ("box.png", "x" * 600_000, "expected at most 524,288 bytes, got 600,000"),
    ],
)
def test_a_picture_that_cannot_be_shown(doing: CourseFolder, name: str, data: str, message: str) -> None:
    doing.write(f"one/first/images/{name}", data)
    assert_told(doing, f"one/first/images/{name}", 1, message)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("[incoming]", "[Incoming]", 1, '"Incoming" is not an id'),
        ("name.en", "nam.en", 2, 'unknown key "nam" (did you mean "name"?)'),
        ('text.zh-Hans = "传进来的。"\n', "", 4, 'expected the key "zh-Hans", the text'),
        ('"传进来的。"', '"a\\n\\nb"', 5, '"incoming": expected one paragraph'),
        ("(one/second)", "(one/secnd)", 4, 'there is no lesson "one/secnd" (did you mean "one/second"?)'),
        ('"shang you ti du"', '"shang you ti"', 7, 'pinyin: expected 4 syllables for "上游梯度", got 3'),
        ('"shang you ti du"', '"shàng yóu tī dù"', 7, "pinyin: expected a syllable for each Chinese character of the name, without tones"),
        ("one/later", "one/latr", 6, 'there is no lesson "one/latr", nor is it planned (did you mean "one/later"?)'),
    ],
)
def test_a_mistake_in_the_glossary(doing: CourseFolder, old: str, new: str, line: int, message: str) -> None:
    doing.replace("glossary.toml", old, new)
    assert_told(doing, "glossary.toml", line, message)


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('id = "later"', 'id = "second"', 6, '"second" is written: it is in lessons'),
        ('title.en = "Later"\n', "", 7, 'expected the key "en", the title'),
        ('"以后"', '"以后"\n[[planned]]\nid = "later"\ntitle.en = "A"\ntitle.zh-Hans = "一"', 10, '"later" is planned twice'),
    ],
)
def test_a_mistake_in_what_is_planned(doing: CourseFolder, old: str, new: str, line: int, message: str) -> None:
    doing.replace("one/chapter.toml", old, new)
    assert_told(doing, "one/chapter.toml", line, message)
