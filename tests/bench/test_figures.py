"""The benchmark's own arithmetic, and that it takes no answer for a run that is not one."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping

import pytest

from tests.bench.client import UnexpectedAnswer, check_run
from tests.bench.figures import ratio, summarise
from tests.bench.processes import descendants, memory, parent
from tests.bench.processor import ended_seconds, own_seconds

DRAWN = {"kind": "graph", "svg": "<svg/>"}
PASSED = {"kind": "gradcheck", "passed": True}


def answer(*records: Mapping[str, object], outcome: str = "finished") -> bytes:
    return json.dumps({"outcome": outcome, "error": None, "stderr": "", "records": records}).encode()


def test_a_summary_has_the_median_the_95th_percentile_and_the_fastest() -> None:
    assert summarise(range(100, 0, -1)) == {"median_ms": 50.5, "p95_ms": 96, "min_ms": 1, "max_ms": 100, "runs": 100}


def test_a_ratio_to_nothing_is_nothing() -> None:
    assert (ratio(3, 2), ratio(None, 2), ratio(3, 0)) == (1.5, None, None)


def test_a_run_that_was_drawn_and_passed_both_checks_counts() -> None:
    assert check_run(answer(PASSED, PASSED, DRAWN))["outcome"] == "finished"


@pytest.mark.parametrize(
    "other",
    [
        answer(PASSED, PASSED, DRAWN, outcome="raised"),
        answer(PASSED, DRAWN),
        answer(PASSED, PASSED),
        answer(PASSED, PASSED, DRAWN | {"svg": None}),
    ],
)
def test_any_other_answer_ends_the_benchmark(other: bytes) -> None:
    with pytest.raises(UnexpectedAnswer):
        check_run(other)


def test_a_process_is_found_below_its_parent_and_weighed() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert child.pid in descendants(os.getpid())
        assert parent(child.pid) == os.getpid()
        assert memory(os.getpid())["Pss"] > 0
        child.communicate(b"\n")
    assert parent(child.pid) == 0


def test_processor_time_is_a_process_own_and_after_its_end_its_parents() -> None:
    own, ended = own_seconds(os.getpid()), ended_seconds(os.getpid())
    count = "import time\nwhile time.process_time() < 0.1: pass\ninput()"
    with subprocess.Popen([sys.executable, "-c", count], stdin=subprocess.PIPE) as child:
        child.communicate(b"\n")
    assert own_seconds(os.getpid()) >= own > 0
    assert ended_seconds(os.getpid()) >= ended + 0.09
    assert own_seconds(child.pid) == 0
