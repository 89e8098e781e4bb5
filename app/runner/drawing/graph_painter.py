"""Draws the graphs of one run within the run's share of time. A graph that is not drawn gets a note that says why.

A failure to draw is never presented as the learner's fault.
"""

from collections.abc import Collection
from contextlib import suppress

import msgspec

from app.locale.messages import translator
from app.protocol.geometry import LAYOUT_NODES, Geometry, LayoutRequest
from app.protocol.limits import Limits
from app.protocol.records.graph import GraphRecord
from app.protocol.run import Lang
from app.runner.drawing.graph_drawing import Drawing
from app.runner.drawing.graph_folding import fold
from app.runner.drawing.graph_svg import render_svg
from app.runner.drawing.layout_process import LayoutFailed, LayoutTimedOut
from app.runner.drawing.layout_workers import Allowance, LayoutWorkers

FOLDED_NODES = 2 * LAYOUT_NODES  # the nodes of the largest graph that is folded
EDGES_PER_NODE = 4  # bounds the edges of a graph that is drawn
_GRAPHS = 3  # so many graphs of the largest size, or more of smaller ones, are drawn for one run
_SMALL_NODES = 200  # drawn in a few milliseconds
_FIRST_SHARE = 0.5  # the share of the remaining allowance for the better layout; the rest is for the quicker one


class GraphPainter:
    """Adds to a graph a picture of the whole, or a `note` why there is none. A large graph that repeats also gets a folded picture."""

    def __init__(self, layout: LayoutWorkers, allowance: Allowance, limits: Limits, lang: Lang) -> None:
        self._layout = layout
        self._allowance = allowance
        self._most_nodes = min(limits.graph_nodes, LAYOUT_NODES)
        self._nodes_left = _GRAPHS * self._most_nodes
        self._seconds = limits.layout_seconds
        self._lang = lang
        self._translate = translator(lang)

    async def complete(self, record: GraphRecord) -> GraphRecord:
        record = self._clear(record)
        if not record.nodes:
            return self._clear(record, self._translate("This graph is empty: nothing in it requires a gradient."))
        try:
            if self._allowance.seconds:
                record = await self._fold(record)
                if not self._allowance.seconds:
                    raise LayoutTimedOut
            if note := self._refusal(record):
                return msgspec.structs.replace(record, note=note)
            svg = await self._draw(record, inside=None, folds=())
        except LayoutTimedOut:
            note = self._translate(
                "This graph has {nodes} nodes and {edges} edges, and laying it out took longer than the {seconds} s that a run has for"
                " its pictures."
            )
            return self._without_whole(record, note)
        except (LayoutFailed, ValueError):
            return self._without_whole(record, self._translate("This graph could not be drawn. Your code is not the cause."))
        return msgspec.structs.replace(record, svg=svg)

    def leave_out(self, record: GraphRecord) -> GraphRecord:
        return self._without_whole(self._clear(record), self._translate("The run ended before this picture was drawn."))

    def refuse(self, record: GraphRecord) -> GraphRecord:
        note = self._translate(
            "The pictures of this run are too large together, so that of this graph, with {nodes} nodes and {edges} edges, is left out."
        )
        is_last = record.svg is None  # then only the folded graph's picture can be left
        return self._without_whole(self._clear(record) if is_last else record, note)

    async def _fold(self, record: GraphRecord) -> GraphRecord:
        """Return the graph with its folds and their pictures, or unchanged if there are none. Raises LayoutTimedOut."""
        if len(record.nodes) > FOLDED_NODES or len(record.edges) > FOLDED_NODES * EDGES_PER_NODE:
            return record
        is_long = len(record.nodes) > _SMALL_NODES
        try:
            folded = await self._layout.compute(lambda: fold(record, self._translate), self._allowance, is_long=is_long)
            if folded is None or len(folded.record.nodes) > min(self._most_nodes, self._nodes_left):
                return record
            svg = await self._draw(folded.record, inside=None, folds=[each.id for each in folded.folds])
            for each in folded.folds:
                if inside := folded.insides.get(each.id):
                    with suppress(LayoutFailed, ValueError):
                        each.svg = await self._draw(inside.record, inside=inside.nodes, folds=())
        except LayoutTimedOut:
            raise
        except (LayoutFailed, ValueError):
            return record
        return msgspec.structs.replace(record, folded_svg=svg, folds=folded.folds)

    async def _draw(self, record: GraphRecord, inside: Collection[str] | None, folds: Collection[str]) -> str:
        """Return the SVG of one graph. Raises LayoutFailed and ValueError."""
        self._nodes_left -= len(record.nodes)
        is_long = len(record.nodes) > _SMALL_NODES
        drawing = await self._layout.compute(lambda: Drawing(record, self._translate, folds, inside), self._allowance, is_long=is_long)
        geometry = await self._arrange(drawing.request())
        return await self._layout.compute(lambda: render_svg(drawing, geometry, self._lang), self._allowance, is_long=is_long)

    async def _arrange(self, request: LayoutRequest) -> Geometry:
        """Lay the graph out. If that fails, or takes more than `_FIRST_SHARE` of the time, try again with straight lines.

        Raises LayoutFailed.
        """
        try:
            return await self._layout.arrange(request, self._allowance, _FIRST_SHARE)
        except LayoutFailed:
            if not self._allowance.seconds:
                raise
            return await self._layout.arrange(msgspec.structs.replace(request, engine="straight"), self._allowance)

    def _clear(self, record: GraphRecord, note: str | None = None) -> GraphRecord:
        """Return the graph without pictures and folds, because a child's own values for these are not trusted."""
        return msgspec.structs.replace(record, svg=None, folded_svg=None, folds=[], note=note)

    def _without_whole(self, record: GraphRecord, why: str) -> GraphRecord:
        counts = {"nodes": len(record.nodes), "edges": len(record.edges), "seconds": f"{self._seconds:g}"}
        return msgspec.structs.replace(record, svg=None, note=self._join(why.format(**counts), self._instead(record)))

    def _join(self, *sentences: str) -> str:
        return ("" if self._lang == "zh-Hans" else " ").join(sentences)

    def _instead(self, record: GraphRecord) -> str:
        return self._translate("It is shown folded.") if record.folded_svg else self._translate("It is listed as text.")

    def _refusal(self, record: GraphRecord) -> str | None:
        """Return a note that says why the whole graph is not laid out; None if it may be."""
        nodes, edges, most = len(record.nodes), len(record.edges), self._most_nodes
        if nodes > most or edges > most * EDGES_PER_NODE:
            note = self._translate("This graph has {nodes} nodes and {edges} edges; only graphs of at most {most} nodes are drawn.")
            hint = self._instead(record) if record.folded_svg else self._translate("Try a smaller input.")
            return self._join(note.format(nodes=nodes, edges=edges, most=most), hint)
        if not self._allowance.seconds or nodes > self._nodes_left:
            return self._join(self._translate("This run has used up the time for laying out pictures."), self._instead(record))
        return None
