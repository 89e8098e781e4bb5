"""Writes what the second run of a program shows as lines, with which the check compares the key `traced` of `[cell.shows]`.

A step reads as on the English page (static/js/lib/trace/backward-pass.js), without the full stop, with "-" as minus, and with every None
that a node receives.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from math import hypot
from typing import Any

from app.protocol.records.graph import GraphNode, TracedGraphRecord
from app.protocol.records.record import Record, Span
from app.protocol.records.replay import Gradient, ReplayRecord, ReplayStep
from app.protocol.records.saved import SavedRecord, SavedTensor

SHORT = 4  # entries of a vector that is written in full
FIGURES = 3


def write_trace(records: Sequence[Record]) -> str:
    """Return the lines of all backward passes, and of all calls of custom Functions, in the order of the records."""
    graphs = {record.id: record for record in records if isinstance(record, TracedGraphRecord)}
    lines: list[str] = []
    for record in records:
        if isinstance(record, ReplayRecord):
            lines += _Pass(record, graphs.get(record.graph or "")).write()
        elif isinstance(record, SavedRecord):
            lines += _write_call(record)
    return "\n".join(lines)


class _Pass:
    """One backward pass. `graph` has the names of its leaves and the lines of its nodes; without it, they are not known."""

    def __init__(self, replay: ReplayRecord, graph: TracedGraphRecord | None) -> None:
        self._replay = replay
        self._nodes: dict[str, GraphNode] = {node.id: node for node in graph.nodes} if graph else {}
        self._leaves: dict[str, str] = {}
        for edge in graph.edges if graph else ():
            leaf, node = self._nodes.get(edge.source), self._nodes.get(edge.target)
            if leaf and node and leaf.kind == "leaf" and node.kind == "accumulate_grad":
                self._leaves[node.id] = leaf.name or ""
        self._labels = {step.node: step.label for step in replay.steps}
        self._sharing = Counter(map(_short, self._labels.values()))  # how many nodes have a name

    def write(self) -> list[str]:
        replay = self._replay
        steps = [*map(self._step, replay.steps), *self._ending()]
        where = f" in line {replay.span.line}" if replay.span else ""
        head = f"{replay.call}(){where} ({replay.number} of {replay.of}): {len(steps)} steps"
        return [head, *(f"step {number}: {words}" for number, words in enumerate(steps, 1))]

    def _step(self, step: ReplayStep) -> str:
        name = self._name(step.node)
        received = ", ".join(map(_gradient, step.received or [None]))
        if step.failed:
            return f"{name} received {received} and raised an exception"
        if step.kind == "sum":
            return f"Gradients meet at {name}: {' + '.join(map(_gradient, step.received))} = {_gradient(step.sent[0].gradient)}"
        if step.grad is not None:
            grad = _gradient(step.grad)
            return f"{name} receives {received}" + (", which is now its .grad" if grad == received else f"; its .grad is now {grad}")
        parts = [f"{_gradient(one.gradient)} to {self._name(one.node)}" for one in step.sent if one.node is not None]
        return f"{name} receives {received} and sends {', '.join(parts) or 'nothing on'}"

    def _ending(self) -> Iterator[str]:
        replay = self._replay
        if replay.raised and not any(step.failed for step in replay.steps):
            yield "The pass raised an exception, and no node was running"
        elif replay.results and not replay.raised:
            names = {node.id: node.name for node in self._nodes.values() if node.name}
            parts = [f"{_gradient(result.gradient)} for {names.get(result.tensor, 'an input')}" for result in replay.results]
            yield f"grad returns {', '.join(parts)}"

    def _name(self, node_id: str) -> str:
        if leaf := self._leaves.get(node_id):
            return leaf
        node = self._nodes.get(node_id)
        name = _short(self._labels.get(node_id) or (node.label if node else node_id))
        if name == "AccumulateGrad":
            return "a leaf"
        return f"{name} of line {node.span.line}" if self._sharing[name] > 1 and node and node.span else name


def _short(label: str) -> str:
    return re.sub(r"Backward\d*$", "", label) or label


def _gradient(gradient: Gradient | None) -> str:
    if gradient is None:
        return "None"
    shape, values = gradient.shape, gradient.values
    if shape is None or values is None:
        return f"a gradient of shape {_shape(shape)}"
    if len(shape) == 0:
        return _number(values)
    if len(shape) == 1 and shape[0] <= SHORT:
        return f"[{', '.join(map(_number, values))}]"
    return f"{'zeros' if _is_zero(values, len(shape)) else 'a gradient'} of shape {_shape(shape)}"


def _shape(shape: Sequence[int] | None) -> str:
    return str(tuple(shape or ()))


def _number(entry: Any) -> str:
    """Return an entry with few significant digits. A complex one is a pair; NaN and infinities are texts."""
    if isinstance(entry, list):
        return f"({_number(entry[0])}, {_number(entry[1])})"
    return entry if isinstance(entry, str) else "0" if entry == 0 else f"{entry:.{FIGURES}g}"


def _is_zero(values: Any, depth: int) -> bool:
    if depth:
        return all(_is_zero(each, depth - 1) for each in values)
    return not isinstance(values, str) and (hypot(*values) if isinstance(values, list) else values) == 0


def _write_call(call: SavedRecord) -> Iterator[str]:
    pytorch = "" if call.builtin_bytes is None else f"; PyTorch’s own operations would save {call.builtin_bytes} bytes"
    yield f"{call.function} ({call.number} of {call.of}) saved {call.bytes} bytes{pytorch}"
    for saved in call.saved:
        yield _write_saved(saved, call.backward_ran)
    for path in call.missing:
        yield f"missing path: {path.saved} from {path.source} ({_line(path.made)}), used in {_line(path.used)}"
    for cut in call.cuts:
        yield f"{cut.reason} in {cut.method}"


def _write_saved(saved: SavedTensor, backward_ran: bool) -> str:
    now = saved.version_now
    changed = "" if now in (None, saved.version) else f", now {now}"
    state = "backward did not run" if not backward_ran else "still kept" if saved.retained_after_backward else "freed"
    cycle = ", in a reference cycle" if saved.in_cycle else ""
    return f"{saved.name}: {saved.how}, {saved.role}, {saved.bytes} bytes, version {saved.version}{changed}, {state}{cycle}"


def _line(span: Span | None) -> str:
    return f"line {span.line}" if span else "no line"
