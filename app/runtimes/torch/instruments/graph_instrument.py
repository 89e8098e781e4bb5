"""Observes torchviz.make_dot, and records the graph of each call at its line.

Installed in the zygote, called in the child.
"""

import re
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import graphviz

if sys.version_info >= (3, 12):
    import setuptools  # noqa: F401 - brings back distutils, which torchviz imports

import torchviz
import torchviz.dot

from app.protocol.instrument_facts import GRAPH
from app.protocol.records.graph import GraphRecord
from app.protocol.records.record import Span
from app.protocol.records.value import ValueRecord
from app.runtimes.instruments.instrument import Instrument
from app.runtimes.plain_text import VALUE_CHARACTERS, plain
from app.runtimes.stand_in import stand_in
from app.runtimes.torch.instruments.foreign_graph import foreign_graph
from app.runtimes.torch.instruments.graph_model import TITLE, stable_dot
from app.runtimes.torch.instruments.graph_walk import GraphWalk
from app.runtimes.torch.native_graph import DotError

_GRAPHS = (graphviz.Graph, graphviz.Digraph, graphviz.Source)
_STATEMENT = re.compile(r"^\t(\d{6,})(?: -> (\d{6,}))?", re.MULTILINE)


class GraphInstrument(Instrument):
    """Records the graph of each call, and remembers the returned Digraph. As a trailing expression, the Digraph is not recorded again."""

    facts = GRAPH

    def install(self) -> None:
        torchviz.make_dot = torchviz.dot.make_dot = stand_in(torchviz.dot.make_dot, self._observe)

    def begin(self) -> None:
        self._returned: dict[int, tuple[weakref.ref[Any], str, GraphRecord, bool]] = {}

    def show(self, value: Any, span: Span | None, title: str) -> bool:
        """Record a graphviz object, unless its graph was recorded before. A graph that Graphviz cannot read is recorded as text."""
        if not issubclass(type(value), _GRAPHS):
            return False
        try:
            source = str(value.source)
        except Exception:  # the learner put something else into it
            return False
        reference, drawn_source, record, was_shown = self._returned.get(id(value), (None, "", None, False))
        if record is None or reference is None or reference() is not value or drawn_source != source:
            try:
                self.recorder.show(foreign_graph(source, title or TITLE), span)
            except DotError:
                self.recorder.show(ValueRecord(title=title, text=plain(source, VALUE_CHARACTERS)), span)
        elif not was_shown:
            self.recorder.show(record, span)
        return True

    def _observe(self, make_dot: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if not (self.active and self.recorder.running):
            return make_dot(*args, **kwargs)
        try:
            digraph = make_dot(*args, **kwargs)
        except Exception:
            with self.guarded():
                self._show_failed(args, kwargs)
            raise
        with self.guarded():
            self._show_drawn(digraph, args, kwargs)
        return digraph

    def _show_drawn(self, digraph: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        source = digraph.source
        record = drawn_graph(source, GraphWalk(args, kwargs))
        number = id(digraph)
        reference = weakref.ref(digraph, lambda _: self._returned.pop(number, None))
        self._returned[number] = (reference, source, record, self.recorder.showing)
        self.recorder.show(record, self.recorder.sources.caller())

    def _show_failed(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        model = GraphWalk(args, kwargs).model
        if model.nodes:
            self.recorder.show(model.record(), self.recorder.sources.caller())


def drawn_graph(source: str, walk: GraphWalk) -> GraphRecord:
    """Return the record of the graph that torchviz drew as `source`.

    If `walk` found another graph, as when saved tensors cannot be read twice, the record is made from `source`.
    """
    dot = stable_dot(source, (name for names in _STATEMENT.findall(source) for name in names if name))
    if not walk.model.is_full and walk.model.dot != dot:
        with suppress(DotError):  # Graphviz cannot read a name that is too long
            return foreign_graph(source)
    return walk.model.record()
