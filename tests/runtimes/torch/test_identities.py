"""A node or tensor has one id for the whole run, in all records, whichever instruments are on."""

from app.protocol.records.graph import GraphRecord
from app.protocol.records.record import Record
from app.protocol.records.unknown import UnknownRecord
from app.protocol.records.value import ValueRecord
from app.protocol.run import Program, Source
from tests.runtimes.children import Children

BEGIN = "import torch\nfrom torchviz import make_dot\nx = torch.ones(3, requires_grad=True)\ny = x.exp()\n"


def ids_of(record: GraphRecord) -> list[str]:
    return [node.id for node in record.nodes]


def without(records: list[Record]) -> list[Record]:
    return [record for record in records if not isinstance(record, UnknownRecord)]


def test_a_graph_and_a_value_speak_of_the_same_tensor(children: Children) -> None:
    graph, value = children.run(BEGIN + "make_dot(y);\ny").records
    assert isinstance(graph, GraphRecord) and isinstance(value, ValueRecord)
    assert ids_of(graph) == ["n0_0", "n0", "t1_grad", "t1"]
    assert value.tensor == "n0_0"
    (value,) = children.run(BEGIN + "make_dot(y).source;\nx").values
    assert value.tensor == "t1"


def test_two_graphs_have_the_same_ids_for_the_same_nodes(children: Children) -> None:
    first, second = children.run(BEGIN + "make_dot(y);\nz = y * x\nmake_dot(z);").graphs
    labels = {node.id: node.label for node in second.nodes}
    assert {node.id: node.label for node in first.nodes if node.kind != "output"}.items() <= labels.items()
    assert set(labels) == {"n1_0", "n1", "n0", "t1_grad", "t1"}


def test_what_was_saved_of_a_tensor_is_drawn_beside_it_under_its_id(children: Children) -> None:
    (graph,) = children.run(BEGIN + "make_dot(y, show_saved=True);").graphs
    assert ids_of(graph) == ["n0_0", "n0", "n0_0-2", "t1_grad", "t1"]


def test_an_id_stays_when_its_tensor_is_changed_in_place(children: Children) -> None:
    graph, value = children.run(BEGIN + "make_dot(y);\ny.mul_(2);\ny").records
    assert isinstance(graph, GraphRecord) and isinstance(value, ValueRecord)
    assert (value.tensor, value.grad_fn) == (ids_of(graph)[0], "MulBackward0")


def test_the_id_of_a_freed_tensor_is_not_given_again(children: Children) -> None:
    loop = "for _ in range(20):\n    make_dot(torch.ones(2, requires_grad=True).sum())\n"
    leaves = [node.id for graph in children.run(BEGIN + loop).graphs for node in graph.nodes if node.kind == "leaf"]
    assert len(set(leaves)) == 20


def test_nodes_of_another_thread_have_ids_of_their_own(children: Children) -> None:
    """Autograd counts the nodes of each thread separately."""
    thread = (
        "import threading\nmade = []\ndef work():\n    made.append(torch.ones(3, requires_grad=True).exp())\n"
        "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\n"
    )
    ours, theirs, again = children.run(BEGIN + thread + "make_dot(y);\nmake_dot(made[0]);\nmake_dot(made[0]);").graphs
    assert ids_of(theirs) == ids_of(again) == ["m1_0", "m1", "t2_grad", "t2"]
    assert not set(ids_of(ours)) & set(ids_of(theirs))


def test_a_program_gives_the_same_ids_whichever_instruments_are_on(children: Children) -> None:
    source = Source(
        text="for value in (x, y, y * x):\n    make_dot(value * 2)\ntorch.autograd.gradcheck(torch.sin, x.double());\ny", cell="use"
    )
    program = Program(source=source, replay=[Source(text=BEGIN, cell="begin")])
    bare = children.run_program(program).records
    watched = children.run_program(Program(source=source, replay=program.replay, instruments=["naming", "shouting"])).records
    assert without(watched)[: len(bare)] == bare
    (named,) = [record for record in watched if isinstance(record, UnknownRecord)]
    assert named.refs == ["n0_0"]
