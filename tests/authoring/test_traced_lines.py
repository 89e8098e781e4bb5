"""The lines that describe a second run, and what the check makes of those that a lesson declares."""

from collections.abc import Sequence

from app.authoring.checking.compare import Mismatch, compare_traced
from app.authoring.checking.traced_lines import write_trace
from app.lessons.model.shows import Shows
from app.protocol.records.graph import GraphEdge, GraphNode, TracedGraphRecord
from app.protocol.records.record import Record, Span
from app.protocol.records.replay import Gradient, ReplayRecord, ReplayResult, ReplayStep, Sent
from app.protocol.records.saved import MissingPath, PathCut, SavedRecord, SavedTensor
from tests.authoring.course import make_result

GRAPH = TracedGraphRecord(
    graph=1,
    nodes=[
        GraphNode(id="x", kind="leaf", label="x\n()", name="x"),
        GraphNode(id="to-x", kind="accumulate_grad", label="AccumulateGrad"),
        GraphNode(id="add", kind="function", label="AddBackward0", span=Span(cell="a", line=4)),
        GraphNode(id="mul", kind="function", label="MulBackward0", span=Span(cell="a", line=5)),
    ],
    edges=[GraphEdge(source="x", target="to-x"), GraphEdge(source="to-x", target="add"), GraphEdge(source="add", target="mul")],
)
GRAPH.id = "graph-1"


def number(value: float | str) -> Gradient:
    return Gradient(shape=[], values=value)


def lines(*records: Record) -> Sequence[str]:
    return write_trace(records).splitlines()


def make_pass() -> ReplayRecord:
    steps = [
        ReplayStep(
            kind="function",
            node="mul",
            label="MulBackward0",
            received=[number(1.0)],
            sent=[Sent(node="to-x", gradient=number(5.0)), Sent(node="add", gradient=number(-3.0))],
        ),
        ReplayStep(kind="function", node="add", label="AddBackward0", received=[number(-3.0), None], sent=[Sent(node="to-x"), Sent()]),
        ReplayStep(
            kind="sum", node="to-x", label="AccumulateGrad", received=[number(5.0), number(-3.0)], sent=[Sent(gradient=number(2.0))]
        ),
        ReplayStep(kind="function", node="to-x", label="AccumulateGrad", received=[number(2.0)], grad=number(4.0)),
    ]
    replay = ReplayRecord(call="backward", number=2, of=3, graph="graph-1", steps=steps)
    replay.span = Span(cell="a", line=8)
    return replay


def test_a_pass_reads_as_on_the_page() -> None:
    assert lines(GRAPH, make_pass()) == [
        "backward() in line 8 (2 of 3): 4 steps",
        "step 1: Mul receives 1 and sends 5 to x, -3 to Add",
        "step 2: Add receives -3, None and sends None to x",
        "step 3: Gradients meet at x: 5 + -3 = 2",
        "step 4: x receives 2; its .grad is now 4",
    ]


def test_nodes_of_one_name_have_their_lines_and_a_leaf_without_a_graph_has_no_name() -> None:
    steps = [
        ReplayStep(
            kind="function", node="mul", label="MulBackward0", received=[number(1.0)], sent=[Sent(node="add", gradient=number(2.0))]
        ),
        ReplayStep(kind="function", node="add", label="MulBackward0", received=[number(2.0)]),
    ]
    assert lines(GRAPH, ReplayRecord(call="backward", number=1, of=1, graph="graph-1", steps=steps))[1:] == [
        "step 1: Mul of line 5 receives 1 and sends 2 to Mul of line 4",
        "step 2: Mul of line 4 receives 2 and sends nothing on",
    ]
    assert lines(make_pass())[-1] == "step 4: a leaf receives 2; its .grad is now 4"


def test_what_grad_returns_and_an_exception_are_steps_of_their_own() -> None:
    returns = ReplayRecord(call="grad", number=1, of=1, graph="graph-1", results=[ReplayResult(tensor="x", gradient=number("nan"))])
    assert lines(GRAPH, returns) == ["grad() (1 of 1): 1 steps", "step 1: grad returns nan for x"]
    failed = ReplayStep(kind="function", node="mul", label="MulBackward0", received=[number(1.0)], failed=True)
    assert lines(ReplayRecord(call="grad", number=1, of=1, steps=[failed], raised=True))[1:] == [
        "step 1: Mul received 1 and raised an exception"
    ]
    assert lines(ReplayRecord(call="grad", number=1, of=1, raised=True))[1:] == [
        "step 1: The pass raised an exception, and no node was running"
    ]


def test_long_gradients_are_their_shapes() -> None:
    gradients = [
        Gradient(shape=[2], values=[0.123456, "inf"]),
        Gradient(shape=[2, 2], values=[[0, 0], [0, 0]]),
        Gradient(shape=[5], values=[1, 0, 0, 0, 0]),
        Gradient(shape=[1], values=[[1, -2]]),
    ]
    step = ReplayStep(kind="function", node="mul", label="MulBackward0", received=list(gradients))
    [_, line] = lines(ReplayRecord(call="grad", number=1, of=1, steps=[step]))
    assert line == ("step 1: Mul receives [0.123, inf], zeros of shape (2, 2), a gradient of shape (5,), [(1, -2)] and sends nothing on")


def test_a_call_reads_as_its_table() -> None:
    saved = [
        SavedTensor(tensor="t1", name="x", how="save_for_backward", role="input", bytes=24, version=0, version_now=1),
        SavedTensor(
            tensor="t2", name="ctx.e", how="ctx_attribute", role="intermediate", bytes=24, retained_after_backward=True, in_cycle=True
        ),
    ]
    missing = [MissingPath(saved="ctx.e", source="x", gradient_of="x", made=Span(cell="a", line=7), used=Span(cell="a", line=13))]
    cuts = [PathCut(reason="numpy", method="backward")]
    call = SavedRecord(call="c", function="Decay", backward_ran=True, saved=saved, bytes=48, builtin_bytes=24, missing=missing, cuts=cuts)
    assert lines(call) == [
        "Decay (1 of 1) saved 48 bytes; PyTorch’s own operations would save 24 bytes",
        "x: save_for_backward, input, 24 bytes, version 0, now 1, freed",
        "ctx.e: ctx_attribute, intermediate, 24 bytes, version 0, still kept, in a reference cycle",
        "missing path: ctx.e from x (line 7), used in line 13",
        "numpy in backward",
    ]
    assert lines(SavedRecord(call="c", function="F", saved=saved[:1])) == [
        "F (1 of 1) saved 0 bytes",
        "x: save_for_backward, input, 24 bytes, version 0, now 1, backward did not run",
    ]


def compared(*traced: str) -> list[Mismatch]:
    shows = Shows(lines={"": 6, "traced": 7, "traced.0": 8, "traced.1": 9}, traced=traced)
    return compare_traced(shows, make_result(records=[make_pass()]))


def test_declared_lines_are_pieces_of_the_lines_in_their_order() -> None:
    assert compared("4 steps", "Gradients meet at a leaf: 5 + -3 = 2") == []
    [mismatch] = compared("step 3", "step 2")
    assert mismatch[0] == 9
    assert mismatch[1].startswith('traced: expected "step 2" in the second run, got ": Gradients meet at a leaf: 5 + -3 = 2\\nstep 4')
