"""Folds a graph where it repeats: the steps of a loop, the layers of a net, the terms of a sum. See docs/decisions/0025.

Each fold becomes one node of a smaller graph, which is drawn like any other graph.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import msgspec

from app.locale.messages import Translate
from app.protocol.records.graph import FOLDS, GraphEdge, GraphFold, GraphNode, GraphRecord
from app.runner.drawing.graph_drawing import FUNCTIONS, Drawing
from app.runner.drawing.graph_repeats import find_repeats
from app.runner.drawing.graph_units import Unit, find_units, title
from app.runner.drawing.label import name_kind

UNFOLDED_NODES = 40  # a graph of at most so many nodes is not folded
WORTH_WHILE = 0.7  # a folded graph may have at most this share of the graph's nodes
FEWEST_TIMES = 3
FEWEST_NODES = 6  # a fold stands for at least so many nodes
INSIDE_NODES = 200  # the most nodes of a repetition that gets a picture of its own
INSIDES = 8  # the most such pictures of a graph
LINES = 5  # the most lines of a fold's label under its name

Group = list[list[GraphNode]]  # the nodes of each repetition


@dataclass(frozen=True)
class Repetition:
    """A graph of one repetition and its neighbours. `nodes`: the ids of the repetition's own nodes."""

    record: GraphRecord
    nodes: set[str]


@dataclass(frozen=True)
class FoldedGraph:
    """A graph with a node for each fold. `insides`: for some folds, by the fold's id, one repetition that gets a picture of its own.

    At most `INSIDES` folds have one. A repetition of a single node, or of more than `INSIDE_NODES` nodes, gets no picture.
    """

    record: GraphRecord
    folds: list[GraphFold]
    insides: dict[str, Repetition]


def fold(record: GraphRecord, translate: Translate) -> FoldedGraph | None:
    """Return the folded graph, or None if the graph is small or little of it repeats."""
    if len(record.nodes) <= UNFOLDED_NODES:
        return None
    drawing = Drawing(record)
    groups = [group for group in _find_groups(find_units(drawing)) if sum(map(len, group)) >= FEWEST_NODES]
    groups = sorted(groups, key=lambda group: -sum(map(len, group)))[:FOLDS]
    left = len(drawing.nodes) + len(groups) - sum(len(nodes) for group in groups for nodes in group)
    if not groups or left > WORTH_WHILE * len(drawing.nodes):
        return None
    names = _free_names(drawing, len(groups))
    folds = [_describe(group, name, translate) for group, name in zip(groups, names, strict=True)]
    several = [(fold.id, nodes) for fold, group in zip(folds, groups, strict=True) if 1 < len(nodes := _typical(group)) <= INSIDE_NODES]
    insides = {name: _cut_out(drawing, nodes) for name, nodes in several[:INSIDES]}
    return FoldedGraph(_contract(drawing, folds), folds, insides)


def _find_groups(units: Sequence[Unit]) -> list[Group]:
    """Return a group for each series of units that repeats, and the groups of equal nodes within each unit that does not."""
    groups: list[Group] = []
    covered: set[int] = set()
    for repeat in find_repeats([unit.signature for unit in units], FEWEST_TIMES):
        groups += _split([units[start : start + repeat.period] for start in range(repeat.start, repeat.end, repeat.period)])
        covered.update(range(repeat.start, repeat.end))
    for index, unit in enumerate(units):
        if index not in covered:
            groups += _find_stars(unit)
    return groups


def _split(repetitions: Sequence[Sequence[Unit]]) -> list[Group]:
    """Return the repetitions in groups. A new group begins where the belongings of the functions change for several repetitions.

    Belongings that only a few repetitions have, such as the input of the first one, are left out of the fold.
    """
    runs = [(kinds, list(run)) for kinds, run in groupby(repetitions, lambda units: [unit.kinds for unit in units])]
    long = [kinds for kinds, run in runs if len(run) >= FEWEST_TIMES]
    kept = long[0] if long else []
    groups: list[Group] = [[]]
    for kinds, run in runs:
        if len(run) >= FEWEST_TIMES and kinds != kept:
            groups.append([])
            kept = kinds
        for units in run:
            groups[-1].append([node for unit in units for node in [*(unit.belongings if kinds == kept else ()), unit.function]])
    return groups


def _find_stars(unit: Unit) -> list[Group]:
    """Return the groups of equal nodes that belong to one function: a sum's leaves with their AccumulateGrads, or many saved tensors."""
    kinds: dict[str, list[GraphNode]] = defaultdict(list)
    for node in unit.belongings:
        kinds[node.kind].append(node)
    leaves, sums = kinds["leaf"], kinds["accumulate_grad"]
    if len(leaves) == len(sums):  # then both are in the same order, since torchviz draws each leaf with its AccumulateGrad
        kinds["leaf"], kinds["accumulate_grad"] = [], []
        paired = [[[leaf, accumulate] for leaf, accumulate in zip(leaves, sums, strict=True)]]
    else:
        paired = []
    return [group for group in (*paired, *([[node] for node in nodes] for nodes in kinds.values())) if len(group) >= FEWEST_TIMES]


def _free_names(drawing: Drawing, count: int) -> list[str]:
    taken = {node.id for node in drawing.nodes}
    numbers = (name for number in range(len(taken) + count) if (name := f"f{number}") not in taken)
    return [next(numbers) for _ in range(count)]


def _describe(group: Group, name: str, translate: Translate) -> GraphFold:
    nodes = _typical(group)
    kinds = Counter((node.kind in FUNCTIONS, _what(node, translate)) for node in nodes)
    if len(nodes) == 1:
        label = f"{_what(nodes[0], translate)} × {len(group)}"
    else:
        ordered = sorted(kinds.items(), key=lambda item: (item[0] == (True, "AccumulateGrad"), not item[0][0], -item[1]))
        lines = [f"{kind} × {count}" if count > 1 else kind for (_, kind), count in ordered]
        shown = lines if len(lines) <= LINES else [*lines[: LINES - 1], "…"]
        label = "\n".join([translate("{count} nodes × {times}").format(count=len(nodes), times=len(group)), *shown])
    return GraphFold(id=name, label=label, times=len(group), nodes=[node.id for each in group for node in each])


def _typical(group: Group) -> list[GraphNode]:
    """Return the repetition in the middle, because the first and the last may have other neighbours."""
    return group[len(group) // 2]


def _what(node: GraphNode, translate: Translate) -> str:
    """Return a function's name, or the kind of a tensor. The tensors of a fold have no common name."""
    if node.kind in FUNCTIONS:
        return title(node) or name_kind(node, translate)
    return translate("leaf") if node.kind == "leaf" else translate("saved tensor")


def _contract(drawing: Drawing, folds: Sequence[GraphFold]) -> GraphRecord:
    """Return the graph with each fold as one node, at the position of the fold's first node. Several edges between two nodes become one."""
    home = {name: fold for fold in folds for name in fold.nodes}
    nodes: dict[str, GraphNode] = {}
    for node in drawing.nodes:
        at = home.get(node.id)
        if at is None:
            nodes[node.id] = node
        elif at.id not in nodes:
            nodes[at.id] = GraphNode(id=at.id, kind=node.kind if at.times == len(at.nodes) else "function", label=at.label)
    edges: dict[tuple[str, str, str], GraphEdge] = {}
    for edge in drawing.edges:
        source, target = (home[end].id if end in home else end for end in (edge.source, edge.target))
        if source != target:
            edges[source, target, edge.kind] = msgspec.structs.replace(edge, source=source, target=target)
    return GraphRecord(nodes=list(nodes.values()), edges=list(edges.values()))


def _cut_out(drawing: Drawing, nodes: Sequence[GraphNode]) -> Repetition:
    """Return a graph of these nodes and their neighbours, with all edges of these nodes."""
    inside = {node.id for node in nodes}
    edges = [edge for edge in drawing.edges if edge.source in inside or edge.target in inside]
    near = {end for edge in edges for end in (edge.source, edge.target)} | inside
    return Repetition(GraphRecord(nodes=[node for node in drawing.nodes if node.id in near], edges=edges), inside)
