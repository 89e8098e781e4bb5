"""The pictures of one run's graphs, or the note that stands in for one: never the learner's fault, and never more than their share."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

import msgspec

from app.locale.messages import translator
from app.protocol.geometry import LAYOUT_NODES
from app.protocol.limits import Limits
from app.protocol.records.graph import GraphDisplay
from app.protocol.records.record import Record
from app.protocol.run import Lang
from app.runner.drawing.graph_drawing import Drawing
from app.runner.drawing.graph_svg import render_svg
from app.runner.drawing.layout_process import LayoutFailed
from app.runner.drawing.layout_worker import Allowance, LayoutWorker
from app.runner.drawing.layout_workers import LayoutWorkers

EDGES_PER_NODE = 4  # of the largest graph that is drawn
_GRAPHS = 3  # of the largest size, or more of smaller ones, may be drawn for one run
_SMALL_NODES = 200  # drawn in a few milliseconds

Result = TypeVar("Result")


class Pictures:
    """Draws one run's graphs with the time that the run's limits give to layout."""

    def __init__(self, layout: LayoutWorker | LayoutWorkers, limits: Limits, lang: Lang) -> None:
        self._layout = layout
        self._allowance = Allowance(limits.layout_seconds)
        self._most_nodes = min(limits.graph_nodes, LAYOUT_NODES)
        self._nodes_left = _GRAPHS * self._most_nodes
        self._lang = lang
        self._translate = translator(lang)

    def draws(self, record: Record) -> bool:
        """Whether it is of a kind that has a picture."""
        return isinstance(record, GraphDisplay)

    async def complete(self, record: Record) -> Record:
        """A graph with its `svg`, or with a `note` why there is none; any other record as it is. Never raises for a graph's sake."""
        return await self._complete_graph(record) if isinstance(record, GraphDisplay) else record

    def leave_out(self, record: Record) -> Record:
        """The record without a picture, because its run was ended."""
        if not isinstance(record, GraphDisplay):
            return record
        note = self._translate("The run ended before this picture was drawn; the graph is listed as text.")
        return msgspec.structs.replace(record, svg=None, note=note)

    async def _complete_graph(self, display: GraphDisplay) -> GraphDisplay:
        if note := self._refusal(display):
            return msgspec.structs.replace(display, svg=None, note=note)
        self._nodes_left -= len(display.nodes)
        try:
            drawing = await self._compute(display, lambda: Drawing(display))
            geometry = await self._layout.arrange(drawing.request(), self._allowance)
            svg = await self._compute(display, lambda: render_svg(drawing, geometry, self._lang))
        except (LayoutFailed, ValueError):
            note = self._translate("This graph could not be drawn. Your code is not the cause; the graph is listed as text.")
            return msgspec.structs.replace(display, svg=None, note=note)
        return msgspec.structs.replace(display, svg=svg, note=None)

    async def _compute(self, display: GraphDisplay, work: Callable[[], Result]) -> Result:
        """Do our own part of the drawing, for a large graph in a thread, so that other runs go on."""
        with self._allowance.charged():
            return work() if len(display.nodes) <= _SMALL_NODES else await asyncio.to_thread(work)

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
