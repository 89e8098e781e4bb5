"""Bytes into harmless text: order, caps, characters cut in two, and what the interpreter says while it crashes."""

import os
from collections.abc import Iterator

import pytest

from app.runner.conversation.output_pipe import ErrorPipe, OutputPipe


@pytest.fixture
def ends() -> Iterator[tuple[int, int]]:
    reader, writer = os.pipe()
    yield reader, writer
    os.close(reader)
    os.close(writer)


def test_text_is_released_up_to_a_position(ends: tuple[int, int]) -> None:
    pipe = OutputPipe(ends[0])
    os.write(ends[1], b"before after")
    pipe.read()
    assert (pipe.release(7), pipe.release()) == ("before ", "after")


def test_a_position_past_the_end_or_before_it_does_no_harm(ends: tuple[int, int]) -> None:
    pipe = OutputPipe(ends[0])
    os.write(ends[1], b"abc")
    pipe.read()
    assert (pipe.release(2**53), pipe.release(0), pipe.release(1)) == ("abc", "", "")


def test_a_character_cut_in_two_is_put_together(ends: tuple[int, int]) -> None:
    pipe = OutputPipe(ends[0])
    data, text = "梯度".encode(), ""
    for part in (data[:2], data[2:5], data[5:]):
        os.write(ends[1], part)
        pipe.read()
        text += pipe.release()
    assert text == "梯度"


def test_an_unfinished_character_at_the_end_is_replaced(ends: tuple[int, int]) -> None:
    pipe = OutputPipe(ends[0])
    os.write(ends[1], b"a\xe6\xa2")
    pipe.read()
    assert pipe.release(final=True) == "a\ufffd"


def test_a_carriage_return_that_ends_no_line_stays_one_and_can_harm_no_terminal(ends: tuple[int, int]) -> None:
    pipe = OutputPipe(ends[0])
    os.write(ends[1], b"10%\r20%\r\n\x1b[31mred")
    pipe.read()
    assert pipe.release() == "10%\N{SYMBOL FOR CARRIAGE RETURN}20%\n\N{SYMBOL FOR ESCAPE}[31mred"


def test_what_is_over_the_cap_is_cut_and_marked(ends: tuple[int, int]) -> None:
    pipe = OutputPipe(ends[0])
    os.write(ends[1], b"0123456789")
    pipe.read()
    assert (pipe.cut(4), pipe.release(), pipe.truncated) == (4, "012345", True)
    assert pipe.cut(4) == 0


def test_a_crash_dump_is_kept_back(ends: tuple[int, int]) -> None:
    pipe = ErrorPipe(ends[0])
    os.write(ends[1], b"mine\nFatal Python error: Segmentation fault\n\n  File")
    pipe.read()
    assert pipe.release() == "mine"
    assert pipe.release(final=True).startswith("\nFatal Python error")
