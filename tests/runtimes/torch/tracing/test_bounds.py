"""The records of a trace say what it left out because the program is too large."""

from collections.abc import Sequence

import pytest

from app.protocol.records.graph import TracedGraphRecord
from app.protocol.records.record import Record
from app.protocol.records.registry import encode_record
from app.protocol.records.replay import ReplayRecord
from app.protocol.records.saved import SavedRecord
from app.protocol.run import Program, Source
from tests.runtimes.children import Children, Ended
from tests.runtimes.torch.tracing.programs import SAVES, USES, function

X = "import torch\nx = torch.ones(1, requires_grad=True)\n"
Traced = ReplayRecord | TracedGraphRecord | SavedRecord


def trace(children: Children, text: str) -> Ended:
    return children.run_program(Program(source=Source(text=text), instruments=["trace"]))


def traced(ended: Ended) -> list[Traced]:
    return [record for record in ended.records if isinstance(record, Traced)]


def replays_in(records: Sequence[Record]) -> list[ReplayRecord]:
    return [record for record in records if isinstance(record, ReplayRecord)]


def replays(ended: Ended) -> list[ReplayRecord]:
    return replays_in(ended.records)


def test_a_program_that_is_seen_to_its_end_is_not_partial(children: Children) -> None:
    records = traced(trace(children, function(SAVES, USES, "F.apply(x).sum().backward()\n")))
    assert {type(record) for record in records} == {ReplayRecord, TracedGraphRecord, SavedRecord}
    assert not any(record.partial for record in records)


def test_a_program_of_too_many_instructions_is_seen_in_part(children: Children) -> None:
    loop = "for _ in range(100_000):\n    pass\ny = x * 2\n"
    records = traced(trace(children, function(SAVES, USES, "z = F.apply(x)\n" + loop + "(z + y).sum().backward()\n")))
    assert all(record.partial for record in records)
    (graph,) = [record for record in records if isinstance(record, TracedGraphRecord)]
    known = {node.label: node.span is not None for node in graph.nodes if node.kind in ("function", "custom_function")}
    assert known == {"SumBackward0": False, "AddBackward0": False, "FBackward": True, "MulBackward0": False}
    assert [len(record.steps) for record in records if isinstance(record, ReplayRecord)] == [6]


def test_a_program_that_calls_too_many_functions_is_seen_in_part(children: Children) -> None:
    calls = "def f():\n    pass\nlist(map(lambda _: f(), range(250_000)))\n"
    (first,) = replays(trace(children, X + "(x * 2).sum().backward()\n" + calls + "(x * 3).sum().backward()\n"))
    assert (first.number, first.of, first.partial) == (1, 1, True)


def test_a_program_that_traces_itself_is_seen_in_part(children: Children) -> None:
    text = X + "(x * 2).sum().backward()\nimport sys\nsys.settrace(lambda *_: None)\n(x * 3).sum().backward()\n"
    assert [(replay.of, replay.partial) for replay in replays(trace(children, text))] == [(1, True)]


def test_entries_beyond_the_bound_of_a_pass_are_left_out(children: Children) -> None:
    text = "import torch\nx = y = torch.ones(250, requires_grad=True)\nfor _ in range(200):\n    y = y * 1\ny.sum().backward()\n"
    (replay,) = replays(trace(children, text))
    assert replay.note == "entries"
    gradients = [step.received[0] for step in replay.steps]
    assert gradients[1] is not None
    assert gradients[1].values == [1.0] * 250
    assert gradients[-1] is not None
    assert (gradients[-1].shape, gradients[-1].values) == ([250], None)


@pytest.mark.parametrize(("nodes", "notes"), [(1000, {"entries"}), (1900, {"steps"})])
def test_all_records_of_a_large_program_fit_in_a_run(children: Children, nodes: int, notes: set[str]) -> None:
    text = "import torch\nfor _ in range(4):\n    x = y = torch.ones(4, 4, requires_grad=True)\n"
    records = traced(trace(children, text + f"    for _ in range({nodes}):\n        y = y * 1.001\n    y.sum().backward()\n"))
    passes, graphs = replays_in(records), {record.id for record in records if isinstance(record, TracedGraphRecord)}
    assert sum(len(encode_record(record)) for record in records) < 3.5 * 2**20
    assert {record.note for record in passes} == notes
    assert all(len(record.steps) > 900 for record in passes)
    assert graphs == {record.graph for record in passes if record.graph}
    assert len(graphs) == (4 if nodes == 1000 else 2)


def test_only_the_first_calls_are_recorded_and_all_are_counted(children: Children) -> None:
    records = traced(trace(children, function(SAVES, USES, "for _ in range(70):\n    F.apply(x)\n")))
    assert [(record.number, record.of) for record in records if isinstance(record, SavedRecord)] == [(n, 70) for n in range(1, 65)]
