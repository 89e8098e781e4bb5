"""The pitfalls that explain a message as people paste it."""

import time
from typing import Any

import pytest

from app.pitfalls.pitfall_book import load_pitfalls, parse_pitfall
from app.pitfalls.pitfall_search import PASTED_CHARACTERS, find_explaining

MESSAGE = "grad can be implicitly created only for scalar outputs"
TRACEBACK = f"""Traceback (most recent call last):
  File "train.py", line 12, in <module>
    loss.backward()
  File "tensor.py", line 630, in backward
    torch.autograd.backward(
RuntimeError: {MESSAGE}"""
TEXTS: dict[str, Any] = {"wrong": ["x"], "near_misses": ["y"]}


def make_pitfall(code: str, **fields: Any) -> Any:
    return parse_pitfall({"message": {"en": "Wrong.", "zh-Hans": "错了。"}, **TEXTS, **fields}, code, "torch")


SCALAR = make_pitfall("scalar", when=[{"type": "RuntimeError", "messages": ["grad can be implicitly created only for scalar outputs*"]}])
UNDEFINED = {"type": "NameError", "messages": ["name '{name}' is not defined"], "lines": ["x"]}
NAMED = make_pitfall("named", when=[UNDEFINED], known={"np": "numpy"})
LINES = make_pitfall("lines", when=[{"type": "RuntimeError", "lines": ["*backward()"]}])
ALL = [SCALAR, NAMED, LINES]


def search(text: str) -> list[str]:
    return list(find_explaining(text, ALL))


@pytest.mark.parametrize(
    "text",
    [
        MESSAGE,
        f"  {MESSAGE}\n",
        f"RuntimeError: {MESSAGE}",
        TRACEBACK,
        f"{TRACEBACK}\n",
        TRACEBACK.replace("\n", "\r\n"),
        TRACEBACK.replace("\n", " "),
        "x" * 2 * PASTED_CHARACTERS + "\n" + TRACEBACK,
        f"RuntimeError: {MESSAGE}\nNote: a line of the message that looks like another",
    ],
)
def test_a_message_is_found_however_it_is_pasted(text: str) -> None:
    assert search(text) == ["scalar"]


@pytest.mark.parametrize("text", [f"ValueError: {MESSAGE}", f"It says: {MESSAGE}", f"RuntimeError: no {MESSAGE}"])
def test_another_type_or_another_message_is_not(text: str) -> None:
    assert search(text) == []


def test_a_name_that_is_not_known_is_not_explained() -> None:
    assert search("NameError: name 'np' is not defined") == ["named"]
    assert search("NameError: name 'mp' is not defined") == []


@pytest.mark.parametrize("text", ["", "  \n "])
def test_nothing_is_found_by_nothing(text: str) -> None:
    assert search(text) == []


def test_every_message_that_a_file_knows_is_found() -> None:
    pitfalls = load_pitfalls().pitfalls
    for pitfall in pitfalls.values():
        for when in pitfall.when:
            for pattern in when.messages if not pitfall.known else ():
                text = f"{when.type}: {pattern.shown.replace('…', 'x')}"
                assert pitfall.code in find_explaining(text, pitfalls.values()), text


def test_what_the_message_decides_comes_before_what_the_program_decides_as_well() -> None:
    when = {"type": "RuntimeError", "messages": ["grad can be implicitly*"]}
    by_line = make_pitfall("by-line", when=[{**when, "lines": ["*loss*"]}])
    assert find_explaining(MESSAGE, [by_line, SCALAR]) == {"by-line": 0.5, "scalar": 1.0}


@pytest.mark.parametrize("line", ["a: ", "RuntimeError: x\n", "RuntimeError: size of tensor "])
def test_what_is_pasted_on_purpose_takes_no_longer_than_a_page(line: str) -> None:
    text = line * 100_000
    begin = time.process_time()
    find_explaining(text, load_pitfalls().pitfalls.values())
    assert time.process_time() - begin < 0.5
