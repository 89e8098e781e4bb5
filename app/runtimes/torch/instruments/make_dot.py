"""Observe torchviz.make_dot: the learner's call is torchviz's own, and besides becomes a graph at its line.

Installed in the zygote, called in the child. torchviz names every node by `id(…)` of what it draws; it looks `id` up in its module,
where ours also notes the object. So exactly the objects drawn are known, and only until the call returns.
"""

import builtins
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

if sys.version_info >= (3, 12):
    import setuptools  # noqa: F401 - brings back distutils, which torchviz imports

import torchviz
import torchviz.dot

from app.protocol.records.graph import GraphDisplay
from app.runtimes.positions import Place
from app.runtimes.recorder import Recorder
from app.runtimes.stand_in import stand_in
from app.runtimes.torch.instruments.graph import TITLE, graph_display
from app.runtimes.torch.instruments.walk import Walk

_id = builtins.id


class GraphObserver:
    """Shows the graph of each call, and remembers which Digraph it returned, so that a trailing expression is not shown twice."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._drawing = threading.local()
        self._returned: dict[int, tuple[weakref.ref[Any], str, GraphDisplay, bool]] = {}

    def install(self) -> None:
        observed = stand_in(torchviz.dot.make_dot, self._observed)
        torchviz.dot.id = self._noting_id
        torchviz.make_dot = torchviz.dot.make_dot = observed

    def _noting_id(self, item: Any, /) -> int:
        number = _id(item)
        objects = getattr(self._drawing, "objects", None)
        if objects is not None:
            objects[str(number)] = item
        return number

    def _observed(self, make_dot: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if not self._recorder.running:
            return make_dot(*args, **kwargs)
        objects: dict[str, Any] = {}
        self._drawing.objects = objects
        try:
            digraph = make_dot(*args, **kwargs)
        except Exception:
            self._drawing.objects = None
            self._show_by_walk(*args, **kwargs)
            raise
        finally:
            self._drawing.objects = None
        self._show(digraph, objects)
        return digraph

    def _show(self, digraph: Any, objects: dict[str, Any]) -> None:
        try:
            source = digraph.source
            display = graph_display(source, objects)
        except Exception:  # nothing of ours may become the learner's fault
            return
        number = _id(digraph)
        reference = weakref.ref(digraph, lambda _: self._returned.pop(number, None))
        self._returned[number] = (reference, source, display, self._recorder.showing)
        self._recorder.show(display, self._recorder.sources.caller())

    def _show_by_walk(self, var: Any = None, params: Any = None, *_: Any, **__: Any) -> None:
        try:
            walk = Walk(var, params)
            if walk:
                self._recorder.show(graph_display(walk.dot, walk.objects), self._recorder.sources.caller())
        except Exception:
            return

    def show_value(self, graph: Any, place: Place, title: str) -> None:
        """Show a graphviz object that is a trailing expression, unless it was shown just so; raises DotError."""
        source = str(graph.source)
        reference, drawn_source, display, was_shown = self._returned.get(_id(graph), (None, "", None, False))
        if display is None or reference is None or reference() is not graph or drawn_source != source:
            display = graph_display(source, {}, title or TITLE)
        elif was_shown:
            return
        self._recorder.show(display, place)

    def forget(self) -> None:
        self._returned.clear()
