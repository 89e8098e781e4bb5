"""A course with exercises and predictions whose secrets can be recognised in bytes, and a runner's events for submissions."""

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import CheckFacts, Exercise, ExerciseText
from app.lessons.model.model import Cell, CellPlace, Chapter, Course, ExercisePlace, Lesson, LessonText, PredictionPlace
from app.lessons.model.prediction import Prediction, PredictionText
from app.protocol.event import Queued, RunEvent, Started, Stdout
from app.protocol.grading import CheckResult, Message, Verdict
from app.protocol.run import Lang
from tests.web.fake_runner import RUN_ID, make_result

LANGS: tuple[Lang, ...] = ("en", "zh-Hans")
SOLUTIONS = ("SECRET-SOLUTION", "SECRET-OTHER")
SECRETS = ("SECRET-CHECKS", "SECRET-MUTANT", "SECRET-RIGHT", "SECRET-MISTAKE", "secret-hidden", "secret-mutant", "secret-right")
SUBMISSIONS = "/api/lessons/one/first/exercises/fix/submissions"
SOLUTION = "/api/lessons/one/first/exercises/fix/solution"
TESTS = "/api/lessons/one/first/exercises/test/submissions"
STREAM = {"accept": "text/event-stream"}


def pick(lang: Lang, english: str, chinese: str) -> str:
    return english if lang == "en" else chinese


def make_exercise_text(lang: Lang) -> ExerciseText:
    return ExerciseText(
        title=pick(lang, "Fix it", "修好它"),
        html=pick(lang, "<p>Fix the second derivative.</p>", "<p>修好二阶导数。</p>"),
        hints=(pick(lang, "<p>Look at ctx.</p>", "<p>看看 ctx。</p>"), "<p>…</p>"),
        mistakes={"forgot-chain": pick(lang, "<p>The chain rule is missing.</p>", "<p>缺少链式法则。</p>")},
        checks={"values": pick(lang, "The values are right", "值正确")},
        mutants={"secret-mutant-one": pick(lang, "<p>It ignores the gradient.</p>", "<p>它忽略了梯度。</p>")},
        after=pick(lang, "<p>Solved.</p>", "<p>解出来了。</p>"),
    )


def make_exercises() -> tuple[Exercise, ...]:
    """Return `fix`, with a visible and a hidden check, and `test`, with two mutants."""
    texts = {lang: make_exercise_text(lang) for lang in LANGS}
    fix = Exercise(
        id="fix",
        kind="fix",
        filename="fix.py",
        after=("make", "fail"),
        asks={"deadline_seconds": 20},
        starter="def f(x): ...\n",
        solutions={"solution": SOLUTIONS[0], "other": SOLUTIONS[1]},
        checks_source="SECRET-CHECKS",
        checks=(CheckFacts(id="values"), CheckFacts(id="secret-hidden", hidden=True)),
        mistakes={"forgot-chain": "SECRET-MISTAKE"},
        functions=("Square",),
        bans=("torch.exp",),
        texts=texts,
    )
    test = Exercise(
        id="test",
        kind="test",
        filename="test.py",
        starter="def check(square): ...\n",
        solutions={"solution": SOLUTIONS[0]},
        examines="check",
        subject="Square",
        right={"secret-right": "SECRET-RIGHT"},
        mutants={"secret-mutant-one": "SECRET-MUTANT", "secret-mutant-two": "SECRET-MUTANT"},
        texts=texts,
    )
    return fix, test


def make_prediction(prediction_id: str = "slope", **facts: object) -> Prediction:
    """Return a prediction of a value, unless other facts are given."""
    texts = {
        lang: PredictionText(
            question=pick(lang, "<p>What is it?</p>", "<p>是多少？</p>"),
            choices=("<p>a</p>", "<p>b</p>"),
            wrong={4.0: pick(lang, "<p>Four is the value.</p>", "<p>四是函数值。</p>")},
            why=pick(lang, "<p>Because.</p>", "<p>因为。</p>"),
        )
        for lang in LANGS
    }
    given = {"asks": "value", "answer": 2.718, "tolerance": 0.01, "texts": texts, **facts}
    return Prediction(id=prediction_id, cell_id="use", line=1, **given)  # type: ignore[arg-type]


def make_catalogue() -> Catalogue:
    cells = (
        Cell(id="make", filename="make.py", source="a = 1\n", line=1),
        Cell(id="fail", filename="fail.py", source="b = 1 / 0\n", line=2, raises="ZeroDivisionError"),
        Cell(id="use", filename="use.py", source="a + 1\n", line=3, after=("make",)),
    )
    blocks = (PredictionPlace("slope"), CellPlace("use"), ExercisePlace("fix"))
    texts = {lang: LessonText(title="First", title_html="First", lede_html="First.", summary="First.", blocks=blocks) for lang in LANGS}
    predictions = (make_prediction(), make_prediction("size", asks="shape", answer=(2, 3), tolerance=0.0))
    lesson = Lesson(
        id="first",
        chapter_id="one",
        minutes=5,
        runtime="torch",
        cells=cells,
        predictions=predictions,
        exercises=make_exercises(),
        texts=texts,
    )
    return Catalogue(Course((Chapter(id="one", number=1, title={"en": "One", "zh-Hans": "一"}, lessons=(lesson,)),)))


VALUES = CheckResult(id="values", passed=True)
HIDDEN = CheckResult(id="secret-hidden", passed=False, message=Message(code="secret-hidden", values={"x": "secret-hidden"}))
NOT_PASSED = Verdict(passed=False, checks=[VALUES, HIDDEN], mistake="forgot-chain")
PASSED = Verdict(passed=True, checks=[VALUES, CheckResult(id="secret-hidden", passed=True)])


def make_grading(verdict: Verdict = NOT_PASSED) -> list[RunEvent]:
    """Return all events of a submission with this verdict."""
    run: list[RunEvent] = [Queued(RUN_ID, 1), Started(RUN_ID), Stdout("2\n"), make_result()]
    return [*run, *verdict.checks, verdict]
