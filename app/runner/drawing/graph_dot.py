"""A graph's DOT, as torchviz would write it: made of the nodes and edges, since a text of the child's could carry links and markup.

Attributes are torchviz's own, and labels are quoted strings, in which nothing but text has a meaning.
"""

import re
from collections.abc import Iterator

from app.protocol.records.graph import GraphNode, GraphRecord, NodeKind
from app.runner.drawing.graph_drawing import FUNCTIONS, joins_saved

_NODE = "align=left fontname=monospace fontsize=10 height=0.2 ranksep=0.1 shape=box style=filled"
_COLOURS: dict[NodeKind, str] = {"saved": "orange", "tensor": "darkolivegreen3", "output": "darkolivegreen1", "leaf": "lightblue"}
_PLAIN = re.compile(r"(?!(?:strict|graph|digraph|node|edge|subgraph)\Z)[a-zA-Z_][a-zA-Z0-9_]*", re.IGNORECASE | re.ASCII)
_NODES_AT_SIZE, _INCHES, _INCHES_A_NODE = 80, 12.0, 0.15  # torchviz's resize_graph


def render_dot(record: GraphRecord) -> str:
    """The DOT of a graph of some nodes; nothing for one of none."""
    return "\n".join(["digraph {", *_statements(record), "}", ""]) if record.nodes else ""


def _statements(record: GraphRecord) -> Iterator[str]:
    inches = f"{max(_INCHES, (len(record.nodes) + len(record.edges)) * _INCHES_A_NODE):g}"
    yield f'\tgraph [size="{inches},{inches}"]'
    yield f"\tnode [{_NODE}]"
    kinds = {node.id: node.kind for node in record.nodes}
    for node in record.nodes:
        yield f"\t{_quote(node.id)} [{_attributes(node)}]"
    for edge in record.edges:
        source, target = kinds.get(edge.source), kinds.get(edge.target)
        if source and target:
            yield f"\t{_quote(edge.source)} -> {_quote(edge.target)}{_style(source, target, edge.missing)}"


def _attributes(node: GraphNode) -> str:
    colour = _COLOURS.get(node.kind)
    return f"label={_quote(node.label)}" + (f" fillcolor={colour}" if colour else "")


def _style(source: NodeKind, target: NodeKind, missing: bool) -> str:
    if missing:
        return " [style=dashed]"
    if joins_saved(source, target):
        return " [dir=none]"
    return "" if source in FUNCTIONS or target in FUNCTIONS else " [style=dotted]"


def _quote(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
