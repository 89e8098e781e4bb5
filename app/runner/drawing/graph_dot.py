"""Renders a graph as DOT, as torchviz would write it.

The DOT is built from the nodes and edges, because DOT text from the child could carry links and markup. Attributes are torchviz's own.
Labels are quoted strings, in which DOT interprets nothing.
"""

import re
from collections.abc import Iterator

from app.protocol.records.graph import EdgeKind, GraphNode, GraphRecord, NodeKind

_NODE = "align=left fontname=monospace fontsize=10 height=0.2 ranksep=0.1 shape=box style=filled"
_COLOURS: dict[NodeKind, str] = {"saved": "orange", "tensor": "darkolivegreen3", "output": "darkolivegreen1", "leaf": "lightblue"}
_STYLES: dict[EdgeKind, str] = {"gradient": "", "saved": " [dir=none]", "view": " [style=dotted]", "missing": " [style=dashed]"}
_PLAIN = re.compile(r"(?!(?:strict|graph|digraph|node|edge|subgraph)\Z)[a-zA-Z_][a-zA-Z0-9_]*", re.IGNORECASE | re.ASCII)
_INCHES, _INCHES_A_NODE = 12.0, 0.15  # torchviz's resize_graph


def render_dot(record: GraphRecord) -> str:
    """Return the DOT of a graph, or an empty string if it has no nodes."""
    return "\n".join(["digraph {", *_statements(record), "}", ""]) if record.nodes else ""


def _statements(record: GraphRecord) -> Iterator[str]:
    inches = f"{max(_INCHES, (len(record.nodes) + len(record.edges)) * _INCHES_A_NODE):g}"
    yield f'\tgraph [size="{inches},{inches}"]'
    yield f"\tnode [{_NODE}]"
    ids = {node.id for node in record.nodes}
    for node in record.nodes:
        yield f"\t{_quote(node.id)} [{_attributes(node)}]"
    for edge in record.edges:
        if edge.source in ids and edge.target in ids:
            yield f"\t{_quote(edge.source)} -> {_quote(edge.target)}{_STYLES[edge.kind]}"


def _attributes(node: GraphNode) -> str:
    colour = _COLOURS.get(node.kind)
    return f"label={_quote(node.label)}" + (f" fillcolor={colour}" if colour else "")


def _quote(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
