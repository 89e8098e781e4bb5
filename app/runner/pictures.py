"""The pictures of one run's graphs, or the note that stands in for one: never the learner's fault, and never more than their share."""

import msgspec

from app.locale.messages import translator
from app.protocol.display import GraphDisplay
from app.protocol.geometry import LAYOUT_NODES
from app.protocol.limits import Limits
from app.protocol.run import Lang
from app.runner.drawing import Drawing
from app.runner.layout import Allowance, Layout
from app.runner.layout_process import LayoutFailed
from app.runner.svg import render_svg

EDGES_PER_NODE = 4  # of the largest graph that is drawn


class Pictures:
    """Draws one run's graphs with the time that the run's limits give to layout."""

    def __init__(self, layout: Layout, limits: Limits, lang: Lang) -> None:
        self._layout = layout
        self._allowance = Allowance(limits.layout_seconds)
        self._most_nodes = min(limits.graph_nodes, LAYOUT_NODES)
        self._lang = lang
        self._translate = translator(lang)

    async def complete(self, display: GraphDisplay) -> GraphDisplay:
        """The display with its `svg`, or with a `note` that says why there is none. Never raises for a graph's sake."""
        if note := self._refusal(display):
            return msgspec.structs.replace(display, svg=None, note=note)
        drawing = Drawing(display)
        try:
            geometry = await self._layout.arrange(drawing.request(), self._allowance)
        except LayoutFailed:
            note = self._translate("The picture could not be laid out. Your code is not the reason; the graph is listed as text.")
            return msgspec.structs.replace(display, svg=None, note=note)
        return msgspec.structs.replace(display, svg=render_svg(drawing, geometry, self._lang), note=None)

    def _refusal(self, display: GraphDisplay) -> str | None:
        """Why the graph is not even laid out, if it is not."""
        nodes, edges, most = len(display.nodes), len(display.edges), self._most_nodes
        if nodes == 0:
            return self._translate("This graph is empty: nothing in it requires a gradient.")
        if nodes > most or edges > most * EDGES_PER_NODE:
            note = self._translate(
                "This graph has {nodes} nodes and {edges} edges; pictures are drawn of at most {most} nodes. Try a smaller input."
            )
            return note.format(nodes=nodes, edges=edges, most=most)
        if not self._allowance.seconds:
            return self._translate("This run has used up the time for laying out pictures; the graph is listed as text.")
        return None
