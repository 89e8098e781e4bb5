"""The steps and the lines of many programs, against an independent script of hooks that runs them as plain Python."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest

from app.protocol.records.graph import TracedGraphRecord
from app.protocol.records.replay import Gradient, ReplayRecord, ReplayStep
from app.protocol.run import Program, Source
from tests.runtimes.children import Children
from tests.runtimes.torch.tracing.course_cells import course_programs
from tests.runtimes.torch.tracing.documented import DOCUMENTED

pytestmark = pytest.mark.timeout(300)  # the first test of each set waits for all its programs

Seen = dict[str, Any]


class Observed:
    """The steps of all programs as the trace records them, and as an independent script does."""

    def __init__(self, children: Children, programs: dict[str, str], least_programs: int, least_lines: int) -> None:
        self.programs, self.least_programs, self.least_lines = programs, least_programs, least_lines
        script = [sys.executable, Path(__file__).with_name("plain_hooks.py")]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
        with TemporaryFile("w+") as programs, TemporaryFile("w+") as seen, TemporaryFile("w+") as warnings:
            json.dump(self.programs, programs)
            programs.seek(0)
            with subprocess.Popen(script, stdin=programs, stdout=seen, stderr=warnings, env=environment) as plain:
                self.traced = {name: trace(children, text) for name, text in self.programs.items()}
            assert plain.returncode == 0
            seen.seek(0)
            self.plain: dict[str, Seen] = json.load(seen)


def trace(children: Children, text: str) -> tuple[list[ReplayRecord], list[TracedGraphRecord]]:
    records = children.run_program(Program(source=Source(text=text), instruments=["trace"])).records
    replays = [record for record in records if isinstance(record, ReplayRecord)]
    return replays, [record for record in records if isinstance(record, TracedGraphRecord)]


# of the lessons one in so many; with how many programs and lines at least
@pytest.fixture(scope="module", params=[(3, 40, 400), pytest.param((1, 60, 1000), marks=pytest.mark.nightly)], ids=["some", "all"])
def observed(request: pytest.FixtureRequest, children: Children) -> Observed:
    """Return what is observed of all documented programs and those of the course, or of a sample of its lessons."""
    one_in, *least = request.param
    return Observed(children, DOCUMENTED | dict(list(course_programs().items())[::one_in]), *least)


def values(gradient: Gradient | None) -> Seen | None:
    return None if gradient is None else {"shape": gradient.shape, "values": json.loads(json.dumps(gradient.values))}


def name(step: ReplayStep) -> str:
    return "leaf" if step.label == "AccumulateGrad" else step.node


def steps_of(replay: ReplayRecord) -> Iterator[Seen]:
    """The steps in the form of the script: a sum belongs to the function that receives it."""
    sums: list[Any] = []
    for step in replay.steps:
        if step.kind == "sum":
            sums.append([step.output, [values(term) for term in step.received]])
            continue
        sent = None if step.failed else [values(each.gradient) for each in step.sent]
        seen = {"node": name(step), "label": step.label, "received": [values(each) for each in step.received], "sums": sums, "sent": sent}
        yield seen | ({"grad": values(step.grad)} if step.label == "AccumulateGrad" else {})
        sums = []


def expected(steps: list[Seen]) -> list[Seen]:
    return [{**step, "node": "leaf" if step["node"].startswith("leaf") else step["node"]} for step in steps]


def without_entries(seen: Any) -> Any:
    if isinstance(seen, list):
        return [without_entries(each) for each in seen]
    return {key: None if key == "values" else without_entries(each) for key, each in seen.items()} if isinstance(seen, dict) else seen


def test_every_value_is_that_of_plain_hooks(observed: Observed) -> None:
    compared, shortened = 0, set[str]()
    for program, (replays, _) in observed.traced.items():
        passes = observed.plain[program]["passes"]
        assert [replay.of for replay in replays] == [len(passes)] * min(len(passes), 4), program
        for replay in replays:
            ours, plain = list(steps_of(replay)), expected(passes[replay.number - 1])
            if replay.note == "entries":  # the record would be too large
                shortened.add(program)
                ours, plain = without_entries(ours), without_entries(plain)
            assert ours == plain, program
        compared += bool(passes)
    assert compared - len(shortened) >= observed.least_programs


def test_the_lines_are_those_of_anomaly_mode(observed: Observed) -> None:
    right = unknown = 0
    for program, (_, graphs) in observed.traced.items():
        lines = observed.plain[program]["lines"]
        for node in (node for graph in graphs for node in graph.nodes if node.kind in ("function", "custom_function")):
            if node.span is None:
                unknown += 1
                continue
            label, line = lines[node.id]
            assert node.label == label, program
            assert node.span.line <= line <= (node.span.end_line or node.span.line), (program, label, line, node.span)
            right += 1
    assert right > observed.least_lines
    assert right >= 0.95 * (right + unknown)
