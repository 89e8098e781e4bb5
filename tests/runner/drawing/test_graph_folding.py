"""Folding finds what repeats in a graph, keeps all else as it is, and its pictures say what is in a fold."""

import msgspec
import pytest

from app.locale.messages import LANGS, translator
from app.protocol.geometry import Geometry, LayoutRequest
from app.protocol.limits import Limits
from app.protocol.records.graph import GraphEdge, GraphFold, GraphNode, GraphRecord
from app.runner.drawing.graph_drawing import Drawing
from app.runner.drawing.graph_folding import FoldedGraph, fold
from app.runner.drawing.graph_repeats import Repeat, find_repeats
from app.runner.drawing.graph_units import find_units
from app.runner.drawing.layout_workers import Allowance
from tests.load.graph_programs import PROGRAMS, draw_graph
from tests.runner.drawing.conftest import Draw
from tests.runner.drawing.test_large_graphs import StubbornLayout, complete
from tests.sample import sample


def test_the_longest_repeats_are_found_and_none_overlaps() -> None:
    assert find_repeats("xAAAAABCABCABCABCy") == [Repeat(1, 1, 4), Repeat(5, 3, 4)]
    assert find_repeats("ABABABA") == [Repeat(0, 2, 3)]
    assert find_repeats("AABB") == []
    assert find_repeats("") == []


def test_a_leaf_whose_gradient_several_functions_use_belongs_to_none() -> None:
    nodes = [GraphNode(id="leaf", kind="leaf", label="x"), GraphNode(id="sum", kind="accumulate_grad", label="AccumulateGrad")]
    functions = [GraphNode(id=f"f{number}", kind="function", label="F") for number in range(3)]
    edges = [GraphEdge(source="leaf", target="sum"), *(GraphEdge(source="sum", target=each.id) for each in functions)]
    assert [unit.belongings for unit in find_units(Drawing(GraphRecord(nodes=nodes + functions, edges=edges)))] == [[], [], []]
    alone = Drawing(GraphRecord(nodes=nodes + functions[:1], edges=edges[:2]))
    assert [[node.id for node in unit.belongings] for unit in find_units(alone)] == [["leaf", "sum"]]


def folded(program: str) -> tuple[GraphRecord, FoldedGraph]:
    whole = draw_graph(PROGRAMS[program])
    found = fold(whole, translator("en"))
    assert found is not None
    return whole, found


def names(record: GraphRecord) -> set[str]:
    return {node.name or node.label.split("\n")[0] for node in record.nodes}


def test_a_chain_is_one_fold_and_its_ends_stay() -> None:
    _, found = folded("chain, 900")
    (only,) = found.folds
    assert (only.label, only.times, len(only.nodes)) == ("SinBackward0 × 900", 900, 900)
    assert [node.kind for node in found.record.nodes] == ["output", "function", "accumulate_grad", "leaf"]
    assert found.insides == {}


def test_a_fold_of_functions_without_labels_is_called_by_their_kind_in_the_language_of_the_run() -> None:
    nodes = [GraphNode(id=f"n{number}", kind="custom_function", label="") for number in range(300)]
    edges = [GraphEdge(source=f"n{number}", target=f"n{number + 1}") for number in range(299)]
    labels = [found.folds[0].label for lang in LANGS if (found := fold(GraphRecord(nodes=nodes, edges=edges), translator(lang)))]
    assert labels == ["custom function × 300", "自定义函数 × 300"]


def test_the_steps_of_an_lstm_are_one_fold_and_its_parameters_stay() -> None:
    _, found = folded("LSTM, 25 steps")
    (steps,) = found.folds
    assert steps.times == 25
    assert steps.label.split("\n")[:3] == ["15 nodes × 25", "SigmoidBackward0 × 3", "MulBackward0 × 3"]
    assert {"weight_ih", "weight_hh", "bias_ih", "bias_hh"} <= names(found.record)
    inside = found.insides[steps.id]
    assert len(inside.nodes) == 15
    assert len(inside.record.nodes) == 23
    assert "weight_hh" not in names(inside.record)  # two edges away


def test_the_layers_of_a_net_are_one_fold_with_their_parameters() -> None:
    _, found = folded("MLP, 270 layers")
    (layers,) = found.folds
    assert layers.label.split("\n")[0] == "7 nodes × 270"
    assert len(layers.nodes) == 7 * 270
    assert len(found.record.nodes) == 3


@pytest.mark.parametrize("program", sample(name for name in PROGRAMS if name not in ("chain, 8", "MLP, 3 layers", "transformer, 2 layers")))
def test_a_fold_has_no_node_of_another_and_nothing_is_lost(program: str) -> None:
    whole, found = folded(program)
    members = [name for each in found.folds for name in each.nodes]
    assert len(members) == len(set(members))
    left = {node.id for node in found.record.nodes}
    assert left.isdisjoint(members)
    assert left - {each.id for each in found.folds} | set(members) == {node.id for node in whole.nodes}
    home = {name: each.id for each in found.folds for name in each.nodes}
    ends = {(home.get(edge.source, edge.source), home.get(edge.target, edge.target)) for edge in whole.edges}
    assert {(edge.source, edge.target) for edge in found.record.edges} == {pair for pair in ends if pair[0] != pair[1]}
    assert len(found.record.nodes) <= 62


@pytest.mark.parametrize("program", ["chain, 8", "MLP, 3 layers"])
def test_a_small_graph_is_not_folded(program: str) -> None:
    assert fold(draw_graph(PROGRAMS[program]), translator("en")) is None


def chain(count: int, kinds: str = "A") -> GraphRecord:
    """Functions in a row, without the order in which autograd recorded them, as a graph in DOT has none."""
    nodes = [GraphNode(id=f"n{index}", kind="function", label=kinds[index % len(kinds)]) for index in range(count)]
    return GraphRecord(nodes=nodes, edges=[GraphEdge(source=f"n{index + 1}", target=f"n{index}") for index in range(count - 1)])


def test_a_graph_that_tells_no_order_is_folded_along_its_edges() -> None:
    found = fold(chain(120, "ABC"), translator("en"))
    assert found is not None
    assert [each.label.split("\n")[0] for each in found.folds] == ["3 nodes × 40"]


def test_a_cycle_and_names_that_folds_have_do_no_harm() -> None:
    record = chain(100)
    record.edges.append(GraphEdge(source="n0", target="n99"))
    assert fold(record, translator("en")) is None
    record = chain(100)
    record.nodes[3].id = "f0"
    record.edges = [GraphEdge(source=one.id, target=other.id) for one, other in zip(record.nodes[1:], record.nodes, strict=False)]
    found = fold(record, translator("en"))
    assert found is not None
    assert [each.id for each in found.folds] == ["f1"]


def test_what_a_child_says_of_folds_and_pictures_is_not_believed() -> None:
    record = chain(3)
    record.folded_svg, record.folds = "<svg onload='x'/>", [GraphFold(id="f0", label="x", times=3, nodes=["n0"], svg="<svg/>")]
    for layout in (StubbornLayout(), StubbornLayout(hopeless=True)):
        drawn = complete(layout, record)
        assert (drawn.folded_svg, drawn.folds) == (None, [])


def test_a_large_graph_has_a_folded_picture_one_of_a_repetition_and_one_of_the_whole(draw: Draw) -> None:
    drawn = draw(draw_graph(PROGRAMS["LSTM, 25 steps"]))
    assert drawn.svg is not None and drawn.folded_svg is not None
    assert drawn.folded_svg.count(" fold") == 1
    assert "15 nodes × 25" in drawn.folded_svg
    inside = drawn.folds[0].svg
    assert inside is not None
    assert (inside.count('class="node'), inside.count(" outside")) == (23, 8)
    assert drawn.note is None


def test_a_graph_that_is_not_laid_out_in_time_is_shown_folded_and_says_so() -> None:
    class HopelessWithMany(StubbornLayout):
        async def arrange(self, graph: LayoutRequest, allowance: Allowance, share: float = 1.0) -> Geometry:
            self._hopeless = len(graph.nodes) > 100
            return await super().arrange(msgspec.structs.replace(graph, engine=None if self._hopeless else "straight"), allowance, share)

    drawn = complete(HopelessWithMany(), chain(200))
    assert drawn.svg is None and drawn.folded_svg is not None
    assert drawn.note is not None
    assert drawn.note.endswith("took longer than the 5 s that a run has for its pictures. It is shown folded.")


def test_a_graph_too_large_to_be_drawn_whole_is_shown_folded() -> None:
    drawn = complete(StubbornLayout(), chain(300), Limits(graph_nodes=100))
    assert drawn.svg is None and drawn.folded_svg is not None
    assert drawn.note == "This graph has 300 nodes and 299 edges; only graphs of at most 100 nodes are drawn. It is shown folded."


def test_the_whole_is_left_out_before_the_folded_picture_where_both_are_too_large() -> None:
    both = complete(StubbornLayout(), chain(300))
    assert both.svg is not None and both.folded_svg is not None
    drawn = complete(StubbornLayout(), chain(300), Limits(records_bytes=len(both.folded_svg)))
    assert drawn.svg is None and drawn.folded_svg is not None and (drawn.note or "").endswith("It is shown folded.")
    drawn = complete(StubbornLayout(), chain(900), Limits(records_bytes=1024))
    assert drawn.svg is None and (drawn.note or "").endswith("It is shown folded.") == (drawn.folded_svg is not None)
