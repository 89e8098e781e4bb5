"""Turns a figure's drawing into an SVG that a page may show, or its PNG into a copy. If that fails, it is never the learner's fault."""

from base64 import b64decode, b64encode
from typing import Any

import msgspec

from app.locale.messages import translator
from app.protocol.geometry import PngRequest
from app.protocol.records.figure import PNG_BYTES, FigureElement, FigureRecord
from app.protocol.run import Lang
from app.runner.drawing.figure_svg import render_figure, walk
from app.runner.drawing.label import clean, shorten
from app.runner.drawing.layout_process import LayoutFailed
from app.runner.drawing.layout_workers import Allowance, LayoutWorkers

_MESSAGE_CHARACTERS = 2000
_SMALL_ELEMENTS = 500  # rendered in a few milliseconds


class FigurePainter:
    """Gives a figure its `svg` or a new `png`, or a `note` that says why it has neither."""

    def __init__(self, layout: LayoutWorkers, allowance: Allowance, lang: Lang) -> None:
        self._layout = layout
        self._allowance = allowance
        self._lang = lang
        self._translate = translator(lang)

    async def complete(self, record: FigureRecord) -> FigureRecord:
        if record.error is not None:
            message = shorten(clean(record.error), _MESSAGE_CHARACTERS)
            note = self._translate("matplotlib cannot draw this figure: {message}").format(message=message)
            return finish(record, note=note, error=message)
        if not self._allowance.seconds:
            return finish(record, note=self._translate("This run has used up the time for drawing pictures."))
        try:
            if record.png is not None:
                return finish(record, png=await self._copy(record.png))
            return finish(record, svg=await self._render(record, record.drawing or []))
        except (LayoutFailed, ValueError):
            return finish(record, note=self._translate("This figure could not be drawn. Your code is not the cause."))

    def leave_out(self, record: FigureRecord) -> FigureRecord:
        return finish(record, note=self._translate("The run ended before this figure was drawn."))

    def refuse(self, record: FigureRecord) -> FigureRecord:
        return finish(record, note=self._translate("The pictures of this run are too large together, so this one is left out."))

    async def _render(self, record: FigureRecord, drawing: list[FigureElement]) -> str:
        elements = list(walk(drawing))
        if not elements:
            raise ValueError("there is nothing to draw")
        for element in elements:
            if element.png is not None:
                element.png = await self._copy(element.png)
        is_long = len(elements) > _SMALL_ELEMENTS
        return await self._layout.compute(lambda: render_figure(record, drawing, self._lang), self._allowance, is_long=is_long)

    async def _copy(self, text: str) -> str:
        """Return the PNG encoded anew, both in base64. Raises LayoutFailed, or ValueError if `text` is not base64 or is too large."""
        png = b64decode(text, validate=True)
        if len(png) > PNG_BYTES:
            raise ValueError("a PNG is too large")
        return b64encode((await self._layout.copy(PngRequest(png=png), self._allowance)).png).decode()


def finish(record: FigureRecord, **fields: Any) -> FigureRecord:
    """Return the record with these fields set, and all other fields of its picture cleared."""
    picture = {"svg": None, "png": None, "note": None, "drawing": msgspec.UNSET, "texts": [clean(text) for text in record.texts]}
    return msgspec.structs.replace(record, **picture | fields)
