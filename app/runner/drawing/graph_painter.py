"""Draws one run's graphs, or says why one is not drawn: never the learner's fault, and never more than the run's share."""

import msgspec

from app.locale.messages import translator
from app.protocol.geometry import LAYOUT_NODES, Geometry, LayoutRequest
from app.protocol.limits import Limits
from app.protocol.records.graph import GraphDisplay
from app.protocol.run import Lang
from app.runner.drawing.graph_drawing import Drawing
from app.runner.drawing.graph_svg import render_svg
from app.runner.drawing.layout_process import LayoutFailed, LayoutTimedOut
from app.runner.drawing.layout_worker import Allowance, LayoutWorker
from app.runner.drawing.layout_workers import LayoutWorkers

EDGES_PER_NODE = 4  # of the largest graph that is drawn
_GRAPHS = 3  # of the largest size, or more of smaller ones, may be drawn for one run
_SMALL_NODES = 200  # drawn in a few milliseconds
_FIRST_SHARE = 0.5  # of what is left of the allowance, for the better picture; the rest is for the one that is sooner there


class GraphPainter:
    """Gives a graph its `svg`, or a `note` that says why there is none."""

    def __init__(self, layout: LayoutWorker | LayoutWorkers, allowance: Allowance, limits: Limits, lang: Lang) -> None:
        self._layout = layout
        self._allowance = allowance
        self._most_nodes = min(limits.graph_nodes, LAYOUT_NODES)
        self._nodes_left = _GRAPHS * self._most_nodes
        self._seconds = limits.layout_seconds
        self._lang = lang
        self._translate = translator(lang)

    async def complete(self, display: GraphDisplay) -> GraphDisplay:
        if note := self._refusal(display):
            return msgspec.structs.replace(display, svg=None, note=note)
        self._nodes_left -= len(display.nodes)
        is_long = len(display.nodes) > _SMALL_NODES
        try:
            drawing = await self._layout.compute(lambda: Drawing(display), self._allowance, is_long=is_long)
            geometry = await self._arrange(drawing.request())
            svg = await self._layout.compute(lambda: render_svg(drawing, geometry, self._lang), self._allowance, is_long=is_long)
        except LayoutTimedOut:
            note = self._translate(
                "This graph has {nodes} nodes and {edges} edges, and laying it out took longer than the {seconds} s that a run has for"
                " its pictures; it is listed as text."
            )
            return self._without_picture(display, note)
        except (LayoutFailed, ValueError):
            note = self._translate("This graph could not be drawn. Your code is not the cause; the graph is listed as text.")
            return self._without_picture(display, note)
        return msgspec.structs.replace(display, svg=svg, note=None)

    def leave_out(self, display: GraphDisplay) -> GraphDisplay:
        note = self._translate("The run ended before this picture was drawn; the graph is listed as text.")
        return self._without_picture(display, note)

    def refuse(self, display: GraphDisplay) -> GraphDisplay:
        note = self._translate(
            "The pictures of this run are too large together, so that of this graph, with {nodes} nodes and {edges} edges, is left out;"
            " the graph is listed as text."
        )
        return self._without_picture(display, note)

    async def _arrange(self, request: LayoutRequest) -> Geometry:
        """Raises LayoutFailed when neither the engine that suits the graph nor the one that is always soon done has a layout."""
        try:
            return await self._layout.arrange(request, self._allowance, _FIRST_SHARE)
        except LayoutFailed:
            if not self._allowance.seconds:
                raise
            return await self._layout.arrange(msgspec.structs.replace(request, engine="layered"), self._allowance)

    def _without_picture(self, display: GraphDisplay, note: str) -> GraphDisplay:
        counts = {"nodes": len(display.nodes), "edges": len(display.edges), "seconds": f"{self._seconds:g}"}
        return msgspec.structs.replace(display, svg=None, note=note.format(**counts))

    def _refusal(self, display: GraphDisplay) -> str | None:
        """Why the graph is not even laid out, if it is not."""
        nodes, edges, most = len(display.nodes), len(display.edges), self._most_nodes
        if nodes == 0:
            return self._translate("This graph is empty: nothing in it requires a gradient.")
        if nodes > most or edges > most * EDGES_PER_NODE:
            note = self._translate(
                "This graph has {nodes} nodes and {edges} edges; only graphs of at most {most} nodes are drawn. Try a smaller input."
            )
            return note.format(nodes=nodes, edges=edges, most=most)
        if not self._allowance.seconds or nodes > self._nodes_left:
            return self._translate("This run has used up the time for laying out pictures; the graph is listed as text.")
        return None
