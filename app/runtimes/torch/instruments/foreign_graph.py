"""Reads a DOT graph that a learner wrote or changed, with Graphviz's own parser. Runs in the child.

A crash of the parser ends only the learner's own run. The kind of a node is recognised by torchviz's colours.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

import pygraphviz.graphviz as native

from app.protocol.records.graph import EdgeKind, GraphEdge, GraphNode, GraphRecord, NodeKind
from app.runtimes.plain_text import LABEL_CHARACTERS, plain
from app.runtimes.torch.identities import IDENTITIES
from app.runtimes.torch.instruments.graph_model import COLOURS, EDGES, NODES, TITLE, is_address, read_label, tidy
from app.runtimes.torch.native_graph import DotError, native_graph

_KINDS = {colour: kind for kind, colour in COLOURS.items()}
_SHAPE_LINE = re.compile(r"\(((?:\d+(?:, )?)*)\)")


def foreign_graph(dot: str, title: str = TITLE) -> GraphRecord:
    """Return the record of a DOT graph. Its nodes get new ids, because they may not be autograd's. Raises DotError."""
    with native_graph(dot) as graph:
        if native.agnedges(graph) > EDGES:
            raise DotError("too many edges")
        found = list(linked(native.agfstnode(graph), partial(native.agnxtnode, graph)))
        ids = {name_of(node): IDENTITIES.fresh("d") for node in found}
        nodes = [read_node(node, f"n{number}", ids[name_of(node)]) for number, node in enumerate(found[:NODES])]
        functions = {node.id for node in nodes if node.kind not in COLOURS}
        edges = [
            read_edge(edge, ids, functions)
            for node in found
            for edge in linked(native.agfstout(graph, node), partial(native.agnxtout, graph))
        ]
    return GraphRecord(title=title, nodes=nodes, edges=edges)


def linked(first: Any, following: Callable[[Any], Any]) -> Iterator[Any]:
    """Yield the items of a linked list of Graphviz's library."""
    item = first
    while item is not None:
        yield item
        item = following(item)


def name_of(node: Any) -> str:
    return (native.agnameof(node) or b"").decode("utf-8", "replace")


def attribute_of(item: Any, name: bytes) -> str:
    try:
        return (native.agget(item, name) or b"").decode("utf-8", "replace")
    except KeyError:
        return ""


def read_edge(edge: Any, ids: Mapping[str, str], functions: Collection[str]) -> GraphEdge:
    source, target = ids[name_of(native.agtail(edge))], ids[name_of(native.aghead(edge))]
    ends = (source in functions) + (target in functions)
    kind: EdgeKind = "gradient"
    if attribute_of(edge, b"dir") == "none" and ends == 1:
        kind = "saved"
    elif attribute_of(edge, b"style") == "dotted" and ends == 0:
        kind = "view"
    return GraphEdge(source=source, target=target, kind=kind)


def read_node(node: Any, stable_name: str, node_id: str) -> GraphNode:
    """Return a node of the record. `stable_name` replaces a name that is a memory address."""
    name, label = name_of(node), attribute_of(node, b"label")
    text = read_label(label, stable_name if is_address(name) else name)
    uncoloured: NodeKind = "accumulate_grad" if label == "AccumulateGrad" else "function"
    kind = _KINDS.get(attribute_of(node, b"fillcolor"), uncoloured)
    read = GraphNode(id=node_id, kind=kind, label=tidy(text, keeps_columns=kind == uncoloured))
    if kind != uncoloured:
        first, *others = text.split("\n")  # torchviz writes "name\n (3, 3)", or "\n (3, 3)" without a name
        read.name = plain(first.strip(), LABEL_CHARACTERS) or None if others else None
        if match := _SHAPE_LINE.fullmatch(text.split("\n")[-1].strip()):
            read.shape = [int(length) for length in match[1].split(", ") if length and len(length) < 16]
    return read
