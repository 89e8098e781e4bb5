"""The benchmark of a term's work measures what it says, also where there are only two learners."""

from dataclasses import replace
from typing import Any

import pytest

from tests.bench.plan import QUICK
from tests.bench.term import measure_term


@pytest.mark.anyio
async def test_every_kind_of_request_is_measured_with_a_terms_work_and_without() -> None:
    unused: Any = None
    found = await measure_term(unused, unused, replace(QUICK, learners=2, term_callers=2))
    assert set(found["of_a_term"]) - set(found["of_a_newcomer"]) == {"export", "export_kib", "import"}
    assert found["mib"] > 1
    assert all(figures["median_ms"] > 0 for figures in found["of_a_newcomer"].values())
