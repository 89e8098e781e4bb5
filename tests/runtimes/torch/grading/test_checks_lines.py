"""Reports about checks.py: the line at which a check was not passed or does not work, and mistakes that raise."""

import pytest
from msgspec import UNSET, UnsetType

from app.protocol.grading import MistakeFault, Rubric
from tests.runtimes.torch.grading.loopback import Loopback, grade

HEAD = """import torch
from gradroom import Subject, check, draw, expect, mistake, value

square = Subject("square", lambda: [draw.tensor()])
"""
RIGHT = "def square(x):\n    return x**2\n"
WRONG = "def square(x):\n    return x**3\n"


def lines_of(checks: str, program: str = WRONG, solution: str = RIGHT) -> list[int | UnsetType]:
    return [check.line for check in grade(program, Rubric(checks=HEAD + checks, solution=solution)).checks]


@pytest.mark.parametrize(
    "body",
    [
        "    square.values()\n",
        "    assert 1 > 2\n",
        "    expect(False)\n",
        "    value('nothing')\n",
        "    nothing()\n",
        "    square.values(1, 2, 3)\n",
        "    torch.ones(2) @ torch.ones(3)\n",
    ],
)
def test_a_check_that_is_not_passed_or_does_not_work_has_its_line(body: str) -> None:
    assert lines_of(f"\n@check\ndef first():\n    pass\n\n@check\ndef second():\n    pass\n{body}") == [UNSET, 13]


def test_where_a_function_of_checks_py_asks_it_is_its_line() -> None:
    assert lines_of("\ndef ask():\n    square.values()\n\n@check\ndef first():\n    ask()\n") == [7]


def test_a_check_that_returns_false_has_the_line_where_it_begins() -> None:
    assert lines_of("\n@check\ndef first():\n    pass\n    return False\n") == [6]


def test_a_checks_py_that_does_not_come_to_its_end_has_its_line() -> None:
    assert lines_of("\n@check\ndef first():\n    pass\n\nnothing\n") == [10]


def test_what_is_not_of_checks_py_has_no_line() -> None:
    assert lines_of("", "def square(x):\n    return x.nothing\n") == [UNSET]  # there is no check
    exercise = Rubric(checks=f"{HEAD}\n@check\ndef first():\n    square.values()\n", solution=RIGHT, bans=["torch.exp"])
    assert [check.line for check in grade("import torch\ntorch.exp(1)\n", exercise).checks] == [UNSET, 8]


MISTAKES = """
@check
def values():
    square.values()

@mistake
def first():
    return nothing(square)

@mistake
def second():
    return square.behaves_like(forward=lambda x: x @ torch.ones(7, dtype=x.dtype))

@mistake
def third():
    return square.behaves_like(forward=lambda x: x**3)

@mistake
def fourth():
    return nothing(square)
"""


def test_a_mistake_that_raises_is_a_fault_with_its_line_and_the_next_is_asked() -> None:
    verdict = grade(WRONG, Rubric(checks=HEAD + MISTAKES, solution=RIGHT))
    first, second = verdict.faults or ()
    assert first == MistakeFault(mistake="first", line=12, message="NameError: name 'nothing' is not defined")
    assert (second.mistake, second.line) == ("second", 16)
    assert second.message.startswith("RuntimeError: ")
    assert verdict.mistake == "third"


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("", "value('loss') > 1"),  # there is no such variable
        ("loss = 'text'\n", "value('loss', float) > 1"),
        ("def square(x):\n    raise ValueError\n", "square.theirs.call([draw.tensor()])"),
        (WRONG, "square.values()"),
    ],
)
def test_a_mistake_that_the_program_does_not_let_be_asked_about_is_no_fault(program: str, answer: str) -> None:
    checks = f"{HEAD}\n@check\ndef it():\n    return False\n\n@mistake\ndef no():\n    return {answer}\n"
    verdict = grade(program, Rubric(checks=checks, solution=RIGHT))
    assert (verdict.faults, verdict.mistake) == (UNSET, None)


def test_a_mistake_that_a_process_which_is_gone_is_asked_about_is_no_fault() -> None:
    exercise = Rubric(
        checks=HEAD + MISTAKES.replace("return nothing(square)", "return square.behaves_like(forward=torch.sin)"), solution=RIGHT
    )
    assert grade(WRONG, exercise, link=Loopback(WRONG, gone_after=1)).faults is UNSET


def test_a_solution_has_no_faults() -> None:
    verdict = grade(RIGHT, Rubric(checks=HEAD + MISTAKES, solution=RIGHT))
    assert (verdict.passed, verdict.faults) == (True, UNSET)
