"""How values, places and lines are told where a check does not pass."""

import pytest

from app.grading.words import word
from app.protocol.grading import Rubric
from app.protocol.run import Source
from tests.runtimes.torch.grading.loopback import Loopback, grade

HEAD = "import torch\nfrom gradroom import Subject, check\n"


def words_of(program: str, check: str, *replay: Source) -> str:
    """What is said of a program that does not pass."""
    exercise = Rubric(checks=f"{HEAD}\n@check\ndef it():\n    {check}\n")
    link = Loopback(program)
    link.replay = list(replay)
    [result] = grade(program, exercise, link=link).checks
    assert result.message is not None
    return word(result.message, "en")


LISTS = "Subject('f', lambda: [2.0], like=lambda x: [x, 1.04, 5.0]).values()"


def test_numbers_are_told_with_as_many_digits_as_differ() -> None:
    assert words_of("f = lambda x: [x, 1.04, 5.0]", LISTS.replace("1.04", "1.04001")).startswith(
        "Output 2 of 3 of f should be 1.04001, but it is 1.04."
    )
    close = "Subject('f', lambda: [2.0]).close(lambda x: torch.tensor(1.04), 1e-6)"
    assert "should give 1.04 within 1e-06, but it gave 1.04001." in words_of("import torch\nf = lambda x: torch.tensor(1.04001)", close)


def test_of_a_large_tensor_an_entry_is_told_with_its_index() -> None:
    close = "Subject('f', lambda: [2.0]).close(lambda x: torch.ones(3, 4), 1e-6)"
    program = "import torch\ndef f(x):\n    out = torch.ones(3, 4)\n    out[1, 2] = 3\n    return out"
    exercise = Rubric(checks=f"{HEAD}\n@check\ndef it():\n    {close}\n")
    [message] = [check.message for check in grade(program, exercise).checks]
    assert message is not None
    assert word(message, "en") == "f should give 1 within 1e-06, but it gave 3 at index [1,2]. The arguments were 2."
    assert word(message, "zh-Hans") == "f 应当得到 1，误差不超过 1e-06，实际得到 3（下标 [1,2]）。参数是 2。"


def test_of_a_large_argument_the_first_entries_are_told() -> None:
    said = words_of("f = lambda x: 1", "Subject('f', lambda: [torch.arange(8).reshape(4, 2)], like=lambda x: 2).values()")
    assert said == "f should give 2, but it gave 1. The arguments were [0, 1, 2, …] (shape [4, 2])."


def test_a_zero_is_told_without_its_sign() -> None:
    said = words_of(
        "import torch\nf = lambda x: torch.ones(2)", "Subject('f', lambda: [-0.0], like=lambda x: torch.tensor([-0.0, 1])).values()"
    )
    assert said == "f should give [0, 1], but it gave [1, 1]. The arguments were 0."


def test_what_is_no_list_is_told_as_what_it_is() -> None:
    assert words_of("f = lambda x: None", LISTS).startswith("f should return a tuple or list of 3, but it returned None.")
    assert words_of("f = lambda x: 1.5", LISTS).startswith("f should return a tuple or list of 3, but it returned a value of type float.")
    assert words_of("f = lambda x: [x]", LISTS).startswith("f should return 3 output(s), but it returned 1.")


CELL = Source(text="\n\ndef f(x):\n    return own(x) + 1\n", cell="adapter")
CALLS_CELL = "Subject('f', lambda: [2.0], like=lambda x: x).values()"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (
            "def own(x):\n    return None",
            "It raised TypeError in line 4 of the lesson's cell “adapter”, which uses your program: unsupported",
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
