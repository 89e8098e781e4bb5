"""Values, positions and lines in the messages of checks that are not passed."""

import pytest

from app.grading.submission_answer import list_facts
from app.grading.words import word
from app.protocol.grading import Message, Rubric
from app.protocol.run import Lang, Source
from tests.runtimes.torch.grading.loopback import Loopback, grade

HEAD = "import torch\nfrom gradroom import Subject, check\n"


def message_of(program: str, check: str, *replay: Source) -> Message:
    """Return the message about a program that does not pass."""
    exercise = Rubric(checks=f"{HEAD}\n@check\ndef it():\n    {check}\n")
    link = Loopback(program)
    link.replay = list(replay)
    [result] = grade(program, exercise, link=link).checks
    assert result.message is not None
    return result.message


def words_of(program: str, check: str, *replay: Source) -> str:
    return word(message_of(program, check, *replay), "en")


def facts_of(message: Message, lang: Lang = "en") -> dict[str, str]:
    return {fact.title: fact.value for fact in list_facts(message, lang)}


CHANGED = "Subject('f', lambda: [torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)]).untouched()"
LISTS = "Subject('f', lambda: [2.0], like=lambda x: [x, 1.04, 5.0]).values()"


def test_numbers_are_told_with_as_many_digits_as_differ() -> None:
    lists = message_of("f = lambda x: [x, 1.04, 5.0]", LISTS.replace("1.04", "1.04001"))
    assert word(lists, "en") == "Output 2 of 3 of f has another value than it should."
    assert facts_of(lists) == {"given": "2", "expected": "1.04001", "got": "1.04"}
    close = "Subject('f', lambda: [2.0]).close(lambda x: torch.tensor(1.04), 1e-6)"
    message = message_of("import torch\nf = lambda x: torch.tensor(1.04001)", close)
    assert word(message, "en") == "The value of f differs by more than 1e-06."
    assert facts_of(message) == {"given": "2", "expected": "1.04", "got": "1.04001"}


def test_of_a_large_tensor_an_entry_is_told_with_its_index() -> None:
    close = "Subject('f', lambda: [2.0]).close(lambda x: torch.ones(3, 4), 1e-6)"
    program = "import torch\ndef f(x):\n    out = torch.ones(3, 4)\n    out[1, 2] = 3\n    return out"
    message = message_of(program, close)
    assert facts_of(message) == {"given": "2", "expected": "1", "got": "3 at index [1,2]"}
    assert facts_of(message, "zh-Hans") == {"参数": "2", "应当是": "1", "实际是": "3（下标 [1,2]）"}


def test_of_a_large_argument_the_first_entries_are_told() -> None:
    message = message_of("f = lambda x: 1", "Subject('f', lambda: [torch.arange(8).reshape(4, 2)], like=lambda x: 2).values()")
    assert word(message, "en") == "f returns another value than it should."
    assert facts_of(message)["given"] == "[0, 1, 2, …] (shape [4, 2])"


def test_a_zero_is_told_without_its_sign() -> None:
    check = "Subject('f', lambda: [-0.0], like=lambda x: torch.tensor([-0.0, 1])).values()"
    facts = facts_of(message_of("import torch\nf = lambda x: torch.ones(2)", check))
    assert facts == {"given": "0", "expected": "[0, 1]", "got": "[1, 1]"}


def test_what_is_no_list_is_told_as_what_it_is() -> None:
    assert words_of("f = lambda x: None", LISTS).startswith("f should return a tuple or list of 3, but it returned None.")
    assert words_of("f = lambda x: 1.5", LISTS).startswith("f should return a tuple or list of 3, but it returned a value of type float.")
    number = message_of("f = lambda x: [x]", LISTS)
    assert word(number, "en") == "f returns the wrong number of outputs."
    assert facts_of(number) == {"given": "2", "expected": "3", "got": "1"}


CELL = Source(text="\n\ndef f(x):\n    return own(x) + 1\n", cell="adapter")
CALLS_CELL = "Subject('f', lambda: [2.0], like=lambda x: x).values()"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            "def own(x):\n    return None",
            "It raised TypeError in line 4 of the lesson’s cell “adapter”, which uses your program: unsupported",
        ),
        ("\ndef own(x):\n    return x.nothing", "It raised AttributeError in line 3: "),
        ("\ndef own(x):\n    return twice(3)", "It raised TypeError in line 3: "),
    ],
)
def test_a_line_is_of_the_program_or_of_the_cell_that_is_named(program: str, said: str) -> None:
    twice = Source(text="def twice(g):\n    return g() + g()\n", cell="twice")
    assert words_of(program, CALLS_CELL, twice, CELL).startswith(said)


def test_of_a_message_the_first_line_that_has_text_is_told() -> None:
    program = "def f(x):\n    raise ValueError('\\n \\n   the reason:\\nmore')"
    assert words_of(program, CALLS_CELL) == "It raised ValueError in line 2: the reason:"


def test_what_was_changed_is_told_with_as_many_digits_as_differ() -> None:
    small = message_of("def f(x):\n    x.data.add_(1e-7)\n    return 2 * x", CHANGED)
    assert word(small, "en") == "f changes its argument: input 1 was [1, 2] before the call and is [1.0000001, 2.0000001] after it."
    one = message_of("def f(x):\n    x.data[1] = 2.0 + 1e-7\n    return 2 * x", CHANGED.replace("[1.0, 2.0]", "[1.0, 2.0] * 5"))
    assert (one.values["expected"], one.values["got"]) == ("2", "2.0000001 at index [1]")


def test_a_changed_incoming_gradient_is_told_with_as_many_digits_as_differ() -> None:
    program = """
import torch
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x
    @staticmethod
    def backward(ctx, g):
        g += 1e-9
        return 2 * g
f = F.apply
"""
    message = message_of(program, CHANGED)
    assert message.code == "grad-output-changed"
    assert message.values["expected"] != message.values["got"]


def test_what_is_wrong_in_every_layout_is_not_put_down_to_the_layout() -> None:
    strides = "Subject('f', lambda: [torch.arange(6.0).reshape(3, 2).requires_grad_()], like=lambda x: 2 * x).strides()"
    assert message_of("f = lambda x: x + x.detach()", strides).code == "gradient-value"
    assert message_of("f = lambda x: 2 * x if x.unique().numel() == 6 else 3 * x", strides).code == "output-value"
    assert message_of("f = lambda x: 2 * x if x.is_contiguous() else 3 * x", strides).code == "layout-argument"
