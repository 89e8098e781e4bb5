"""An exercise that limits memory, graded as `lessons check` does, with control groups and without."""

import asyncio
from pathlib import Path

import pytest

from app.authoring.checking.exercise_trials import Trial, check_trial, list_trials
from app.grading.grade_order import make_grade_order
from app.grading.submission_answer import answer_submission
from app.lessons.course.catalogue import load_catalogue
from app.protocol.grading import Rubric, Verdict
from app.protocol.limits import MEBIBYTE, Limits
from app.protocol.run import Lang
from tests.programs import Programs

CATALOGUE = load_catalogue(Path(__file__).parent / "memory_course")
LESSON = CATALOGUE.course.chapters[0].lessons[0]
EXERCISE = LESSON.exercises[0]
TRIALS = list(list_trials(LESSON, EXERCISE))
NAIVE = EXERCISE.mistakes["keeps-everything"]
LAYER = "h = torch.abs(h)"
CPP = "import ctypes; new = ctypes.CDLL('libstdc++.so.6')._Znwm; new.argtypes = [ctypes.c_size_t]; new(2**40)"
PATIENT = Limits(deadline_seconds=60)  # these tests are about memory
CALL = "\nimport torch\ndeep(torch.ones(1024, dtype=torch.float64, requires_grad=True))\n"


@pytest.fixture(params=["programs", "ordinary_programs"])
def each_programs(request: pytest.FixtureRequest) -> Programs:
    """Yield a runner with what this machine has, then one of an ordinary user without control groups."""
    running: Programs = request.getfixturevalue(request.param)
    return running


def grade(programs: Programs, source: str) -> Verdict:
    order = make_grade_order(LESSON, EXERCISE, source, PATIENT, 2.0)
    last = asyncio.run(programs.collect_grade(order))[-1]
    assert isinstance(last, Verdict), last
    return last


def words_of(verdict: Verdict, lang: Lang) -> list[str]:
    return [check.message for check in answer_submission(EXERCISE, verdict, b"null", lang).checks]


def test_the_course_is_without_problems() -> None:
    assert CATALOGUE.problems == ()


@pytest.mark.parametrize("trial", [pytest.param(trial, id=trial.file) for trial in TRIALS])
def test_what_holds_little_passes_and_what_keeps_everything_does_not(each_programs: Programs, trial: Trial) -> None:
    assert check_trial(trial, grade(each_programs, trial.source)) == []


@pytest.mark.parametrize(
    "source",
    [
        NAIVE,
        NAIVE.replace(LAYER, f"try: {LAYER}\n        except RuntimeError: raise MemoryError"),
        NAIVE.replace(LAYER, CPP),
    ],
    ids=["torch", "Python", "C++ that aborts"],
)
def test_lack_of_memory_is_told_in_the_same_words_however_it_ends(each_programs: Programs, source: str) -> None:
    verdict = grade(each_programs, source)
    assert (verdict.passed, verdict.mistake) == (False, "keeps-everything")
    assert words_of(verdict, "en") == [
        "Here the program needed more memory than the 128 MiB that it may use.",
        "This could not be checked: the program had run out of its 128 MiB of memory before.",
    ]
    assert words_of(verdict, "zh-Hans") == [
        "做这项检查时，程序需要的内存超过了 128 MiB 的上限。",
        "这一项没能检查：在此之前，程序的 128 MiB 内存已经用完。",
    ]


def test_a_memory_error_that_the_program_raises_itself_is_told_as_that(each_programs: Programs) -> None:
    own = NAIVE.replace(LAYER, "raise MemoryError('of my own')")
    verdict = grade(each_programs, own)
    assert (verdict.passed, verdict.mistake) == (False, None)
    english = "The program raises MemoryError itself, in line 7. That does not show that it used too much: it may use 128 MiB."
    assert words_of(verdict, "en") == [english, english]
    chinese = "MemoryError 是程序自己在第 7 行抛出的，并不说明内存真的用完了。内存上限是 128 MiB。"
    assert words_of(verdict, "zh-Hans") == [chinese, chinese]
    assert words_of(grade(each_programs, own + CALL), "en") == [
        "The program ends with an error, so nothing more could be checked. Fix that first."
    ]


def test_the_limit_holds_while_the_program_is_executed(each_programs: Programs) -> None:
    assert words_of(grade(each_programs, NAIVE + CALL), "en") == [
        "The program needs more memory than the 128 MiB that it may use, so nothing more could be checked."
    ]


def test_the_limit_holds_for_a_plain_run_of_the_exercise(each_programs: Programs) -> None:
    order = make_grade_order(LESSON, EXERCISE, NAIVE + CALL, PATIENT, 2.0).run
    result = each_programs.run(order.program.source.text, order.limits)
    assert result.outcome == "out_of_memory"
    assert result.error.explanation == "The program needs more memory than the 128 MiB that it may use. Try smaller tensors."


FREED = """
import ctypes
import torch
from gradroom import check, expect

class Info(ctypes.Structure):  # mallinfo2(3)
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]

mallinfo2 = ctypes.CDLL(None).mallinfo2
mallinfo2.restype = Info

@check
def given_back():
    torch.ones(4 * 2**20)  # 16 MiB, freed at once: from then on glibc would keep blocks of its size
    before = mallinfo2().hblkhd
    kept = torch.ones(2**20)
    mapped = mallinfo2().hblkhd - before
    expect(mapped >= 2**22, said={"en": f"{mapped} bytes are mapped for a tensor of 4 MiB"})
"""


def test_the_graders_child_gives_back_what_a_reference_frees(each_programs: Programs) -> None:
    verdict = each_programs.grade("x = 1", Rubric(checks=FREED))
    assert verdict.passed, verdict.checks


def test_the_graders_child_has_what_is_usual() -> None:
    """The reference may use as much memory as the naive solution, because its memory is not limited by the exercise."""
    order = make_grade_order(LESSON, EXERCISE, NAIVE, Limits(), 2.0)
    assert order.run.limits.memory_bytes == 128 * MEBIBYTE
    assert order.grader_limits == Limits()
