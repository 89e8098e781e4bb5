"""The graph of one backward pass, as it is when the pass begins. Runs in the child.

A program that never calls make_dot has no other picture on which its passes can be shown.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from app.protocol.records.graph import GraphEdge, GraphNode, NodeKind
from app.protocol.records.saved import SavedTensor
from app.runtimes.instruments.tracing.pass_graphs import tensor_node
from app.runtimes.plain_text import type_name
from app.runtimes.torch.identities import sequence_of
from app.runtimes.torch.instruments.graph_model import function_kind
from app.runtimes.torch.tensors import dtype_of, is_tensor, read_field, shape_of
from app.runtimes.torch.tracing.node_names import Leaf, Name, id_of


class PassGraph:
    """The graph of a pass, stored without nodes and tensors, so that it keeps none alive.

    `names`: the names of all nodes. `outputs`: the tensors that the pass begins with. `variables`: the names of tensors, by identity.
    """

    def __init__(self, names: Mapping[Any, Name], outputs: Iterable[Any], variables: Mapping[int, str]) -> None:
        self._functions: list[tuple[Name, NodeKind, str, int | None]] = []
        self._edges: list[tuple[Name, Name]] = []
        self._leaves: list[tuple[Leaf, GraphNode]] = []  # the nodes of tensors get their ids when the program has ended
        self._outputs: list[tuple[Name, int, GraphNode]] = []
        for tensor in outputs:
            node = read_field(tensor, "grad_fn") if is_tensor(tensor) else None
            if node is not None:
                self._outputs.append((names[node], read_field(tensor, "output_nr"), drawn("output", tensor, variables)))
        for node, name in names.items():
            if isinstance(name, Leaf):
                self._leaves.append((name, drawn("leaf", node.variable, variables)))
            self._functions.append((name, function_kind(node), type_name(node), sequence_of(node)))
            self._edges += [(names[following], name) for following, _ in node.next_functions if following is not None]

    def parts(self, saved: Mapping[str, Mapping[str, SavedTensor]]) -> tuple[list[GraphNode], list[GraphEdge]]:
        """Return the nodes and edges.

        `saved`: the tensors that calls of Functions saved, by the id of the call's node, and by the id of the node that shows the tensor.
        """
        nodes, edges = [], []
        for name, output, node in self._outputs:
            node.id = f"{id_of(name)}_{output}"
            nodes.append(node)
            edges.append(GraphEdge(source=id_of(name), target=node.id))
        for leaf, node in self._leaves:
            node.id = leaf.tensor_id
            nodes.append(node)
            edges.append(GraphEdge(source=leaf.tensor_id, target=leaf.id))
        for name, kind, label, sequence in self._functions:
            nodes.append(GraphNode(id=id_of(name), kind=kind, label=label, sequence=sequence))
            for box, stored in saved.get(id_of(name), {}).items():
                nodes.append(box_of(box, "saved", stored.name, stored.shape, stored.dtype))
                edges.append(GraphEdge(source=box, target=id_of(name), kind="saved"))
        edges += [GraphEdge(source=id_of(source), target=id_of(target)) for source, target in self._edges]
        return nodes, edges


def drawn(kind: NodeKind, tensor: Any, variables: Mapping[int, str]) -> GraphNode:
    """Return the node of a leaf or an output, without its id."""
    return box_of("", kind, variables.get(id(tensor)), shape_of(tensor), dtype_of(tensor))


def box_of(id_: str, kind: NodeKind, name: str | None, shape: list[int] | None, dtype: str | None) -> GraphNode:
    """Return the node of a tensor. One without a shape, such as a nested tensor, is labelled "()", as in graphs of make_dot."""
    node = tensor_node(id_, kind, name, shape or (), dtype)
    node.shape = shape
    return node
