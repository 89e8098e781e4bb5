"""Selects the part of a broad corpus that each change tests.

The rest is marked `nightly`, so that `python -m tests.nightly` tests it all.
"""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def sample(cases: Iterable[str | ParameterSet], one_in: int = 3) -> list[ParameterSet]:
    """Return all cases as parameters of a test. One in `one_in`, beginning with the first, is tested with each change."""
    parameters = [case if isinstance(case, ParameterSet) else pytest.param(case) for case in cases]
    return [
        pytest.param(*each.values, id=each.id, marks=[*each.marks, *([pytest.mark.nightly] if number % one_in else [])])
        for number, each in enumerate(parameters)
    ]
