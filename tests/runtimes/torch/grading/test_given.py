"""A function that learners are told to leave as it is: the solution's is asked, whatever the program calls so."""

from app.protocol.grading import Rubric
from tests.runtimes.torch.grading.loopback import codes, grade

GIVEN = """
import torch

calls = []


def block(x):
    calls.append(1)
    return x**2


def count(x):
    calls.clear()
    block(block(x))
    return torch.tensor(len(calls))
"""
COUNTED = """
from gradroom import Subject, check, draw, given

given("count")
counted = Subject("count", lambda: [draw.tensor()])


@check
def twice():
    counted.values()
"""


def test_a_given_function_is_asked_whatever_the_program_calls_so() -> None:
    exercise = Rubric(checks=COUNTED, solution=GIVEN)
    assert grade(GIVEN, exercise).passed
    assert grade(GIVEN.replace("return torch.tensor(len(calls))", "print(len(calls))"), exercise).passed
    lying = "import torch\n\n\ndef count(x):\n    return torch.tensor(2)\n"
    assert codes(grade(lying, exercise)) == {"twice": "raised"}
    idle = lying.replace("torch\n", "torch\n\ncalls = []\nblock = torch.square\n", 1)
    assert codes(grade(idle, exercise)) == {"twice": "output-value"}


def test_what_is_given_stands_in_the_solution() -> None:
    assert codes(grade(GIVEN, Rubric(checks=COUNTED.replace('"count"', '"other"', 1), solution=GIVEN))) == {"checks": "broken"}
