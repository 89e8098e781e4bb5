"""Divides a graph into units: each function with the nodes that only it uses. The units are in the order in which the program made them.

A leaf, its AccumulateGrad and a saved tensor belong to a function if nothing else uses them. Nodes that several functions share, and the
outputs of the graph, are in no unit.
"""

import heapq
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import islice

from app.protocol.records.graph import GraphNode
from app.runner.drawing.graph_drawing import SAVERS, Drawing

_BELONGINGS = ("leaf", "accumulate_grad", "saved")


@dataclass
class Unit:
    """A function, and the nodes that only it uses."""

    function: GraphNode
    belongings: list[GraphNode] = field(default_factory=list)

    @property
    def signature(self) -> tuple[object, ...]:
        """What two units have in common if one repeats the other."""
        return self.function.kind, title(self.function), self.function.order

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the belongings, sorted."""
        return tuple(sorted(node.kind for node in self.belongings))


def title(node: GraphNode) -> str:
    """Return the first line of a node's label."""
    return node.label.strip().partition("\n")[0].strip()


def find_units(drawing: Drawing) -> list[Unit]:
    """Return the units of a graph, ordered so that every edge between two of them leads forward, if the graph has no cycle."""
    nodes = {node.id: node for node in drawing.nodes}
    units = {node.id: Unit(node) for node in drawing.nodes if node.kind in SAVERS}
    users: dict[str, set[str]] = defaultdict(set)
    before: dict[str, set[str]] = defaultdict(set)
    for edge in drawing.edges:
        if edge.kind == "saved":
            function, tensor = (edge.source, edge.target) if edge.source in units else (edge.target, edge.source)
            users[tensor].add(function)
        else:
            users[edge.source].add(edge.target)
            before[edge.target].add(edge.source)
    for node in drawing.nodes:
        host = _host(node.id, nodes, users)
        if host in units and node.kind in _BELONGINGS:
            units[host].belongings.append(node)
    return [units[name] for name in _sort(drawing.nodes, users, before) if name in units]


def _host(name: str, nodes: dict[str, GraphNode], users: dict[str, set[str]]) -> str:
    """Return the only function that uses this node, directly or through an AccumulateGrad; empty if there is none, or more than one."""
    hosts: set[str] = set()
    for user in users.get(name, ()):
        hosts |= set(islice(users.get(user, ()), 2)) if nodes[user].kind == "accumulate_grad" and user != name else {user}
        if len(hosts) > 1:  # the other users are not read: in a graph that a child made up, there may be thousands
            return ""
    return hosts.pop() if hosts else ""


def _sort(nodes: list[GraphNode], users: dict[str, set[str]], before: dict[str, set[str]]) -> list[str]:
    """Return the ids of all nodes in topological order. Nodes on a cycle, or behind one, are left out.

    If several nodes could come next, the one with the lowest `sequence` goes first; of equals, the one that is last in `nodes`.
    """
    keys = {node.id: (node.sequence or 0, -index, node.id) for index, node in enumerate(nodes)}
    left = {name: len(before.get(name, ())) for name in keys}
    ready = [keys[name] for name, count in left.items() if not count]
    heapq.heapify(ready)
    order = []
    while ready:
        name = heapq.heappop(ready)[-1]
        order.append(name)
        for user in users.get(name, ()):
            if name in before.get(user, ()):
                left[user] -= 1
                if not left[user]:
                    heapq.heappush(ready, keys[user])
    return order
