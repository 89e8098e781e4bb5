"""The lessons that simulated learners work through, and whether a cell ended as declared."""

import msgspec
import pytest

from app.loadtest.coursework import TaskCell, parse_contents, parse_lesson


@pytest.mark.parametrize(
    ("raises", "outcome", "error_type", "mismatch"),
    [
        (None, "finished", None, ""),
        ("GradcheckError", "raised", "torch.autograd.gradcheck.GradcheckError", ""),
        ("RuntimeError", "raised", "RuntimeError", ""),
        (None, "timed_out", None, "expected finished, got timed_out"),
        ("RuntimeError", "finished", None, "expected raised RuntimeError, got finished"),
        (None, "raised", "ValueError", "expected finished, got raised ValueError"),
        ("RuntimeError", "raised", "ValueError", "expected raised RuntimeError, got raised ValueError"),
    ],
)
def test_a_cell_ends_as_its_lesson_says_or_the_difference_is_told(
    raises: str | None, outcome: str, error_type: str | None, mismatch: str
) -> None:
    assert TaskCell(id="a", source="", after=(), raises=raises).mismatch(outcome, error_type) == mismatch


def test_lessons_without_cells_are_left_out() -> None:
    body = b'{"chapters": [{"id": "c", "lessons": [{"path": "c/a", "cells": ["x"]}, {"path": "c/b", "cells": []}]}]}'
    assert parse_contents(body) == ["c/a"]


def test_a_lesson_has_its_cells() -> None:
    body = b'{"path": "c/a", "title": "A", "cells": [{"id": "x", "filename": "x.py", "source": "1", "after": ["w"], "raises": null}]}'
    assert parse_lesson(body).cells == (TaskCell(id="x", source="1", after=("w",), raises=None),)


def test_what_is_not_gradroom_is_noticed() -> None:
    with pytest.raises(msgspec.DecodeError):
        parse_contents(b"<html>")
