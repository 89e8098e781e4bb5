"""The exceptions that a check raises, and the values in their messages: short, and rounded. Runs in the grader's child.

A message is a code and values; app.grading.words has the words for each code.
"""

from typing import Any

import torch

from app.protocol.grading import VALUES, Message
from app.protocol.records.gradcheck import GradcheckRecord
from app.runtimes.plain_text import plain, type_name

ENTRIES = 6  # the most entries of a tensor that is shown whole
_FIRST = 3  # how many entries of a larger one are shown
VALUE_CHARACTERS = 500
_DIGITS = (4, 7, 12, 17)


class NotPassed(Exception):
    """A check is not passed. `code` and `values` make its message; `gradcheck` has the Jacobians that differ, if any were compared."""

    def __init__(self, code: str, gradcheck: GradcheckRecord | None = None, /, **values: object) -> None:
        super().__init__(code)
        self.code, self.gradcheck, self.values = code, gradcheck, values

    def message(self) -> Message:
        values = {name: plain(shown(value), VALUE_CHARACTERS) for name, value in self.values.items()}
        return Message(code=self.code, values=dict(list(values.items())[:VALUES]), gradcheck=self.gradcheck)


class AuthorFault(Exception):
    """The author's own check or solution does not work, so the learner's program could not be graded."""


def shown(value: object, digits: int = 4) -> str:
    """Return a value as short text: numbers with `digits` significant digits, and only the first entries of a large tensor."""
    if isinstance(value, torch.Tensor):
        return _shown_tensor(value, digits)
    if isinstance(value, float):
        return _shown_entry(value, digits)
    if isinstance(value, (list, tuple)):
        return ", ".join(shown(item, digits) for item in value)
    if value is None or isinstance(value, (str, int)):
        return str(value)
    return type_name(value)


def _shown_tensor(tensor: torch.Tensor, digits: int) -> str:
    if tensor.numel() > ENTRIES:
        first = ", ".join(_shown_entry(entry, digits) for entry in tensor.detach().reshape(-1)[:_FIRST].tolist())
        return f"[{first}, …] (shape {list(tensor.shape)})"
    return _shown_list(tensor.detach().tolist(), digits)


def _shown_list(entries: Any, digits: int) -> str:
    if isinstance(entries, list):
        return f"[{', '.join(_shown_list(entry, digits) for entry in entries)}]"
    return _shown_entry(entries, digits)


def _shown_entry(entry: Any, digits: int) -> str:
    return f"{entry + 0.0:.{digits}g}" if isinstance(entry, (float, complex)) else str(entry)  # + 0.0 makes a negative zero positive


def first_line(text: str) -> str:
    """Return the first line of an exception's message that is not blank, without blanks around it."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def shown_apart(expected: torch.Tensor, got: torch.Tensor, wrong: torch.Tensor) -> tuple[str, str]:
    """Return two tensors as texts, with enough digits to see that they differ.

    For large tensors, the texts show only the first entry that is true in `wrong`. The second text also has its index.
    """
    place = ""
    if expected.numel() > ENTRIES:
        index = wrong.nonzero()[0].tolist()
        expected, got = expected[tuple(index)], got[tuple(index)]
        place = f" at index [{','.join(map(str, index))}]"
    expected_text, got_text = values_apart(expected, got)
    return expected_text, got_text + place


def values_apart(expected: object, got: object) -> tuple[str, str]:
    """Return two values of any kind as texts, with enough digits to see that they differ."""
    texts = "", ""
    for digits in _DIGITS:
        texts = shown(expected, digits), shown(got, digits)
        if texts[0] != texts[1]:
            break
    return texts
