"""Makes the record of a figure: a tree of SVG elements if that is small enough, else a PNG. Runs in the child."""

import re
import struct
from base64 import b64encode
from xml.etree.ElementTree import ParseError

from matplotlib.figure import Figure

from app.protocol.limits import MEBIBYTE
from app.protocol.records.figure import FIGURE_PIXELS, FigureRecord
from app.runtimes.failure import raising_module
from app.runtimes.instruments.figures.canvas import Box, TooMuch, draw_png, draw_svg, undisturbed
from app.runtimes.instruments.figures.texts import texts_of
from app.runtimes.instruments.figures.theme import follows_theme
from app.runtimes.instruments.figures.tree import NoTree, build_tree
from app.runtimes.plain_text import str_of

_SVG_CHARACTERS = MEBIBYTE
_PNG_BYTES = MEBIBYTE  # small enough for several figures in one run
_PIXELS = 96.0  # CSS pixels in an inch
_POINTS = 72.0  # points in an inch
_IMAGE_DPI = 144.0
_PNG_DPIS = (192.0, 96.0, 48.0, 24.0)
_VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def figure_record(figure: Figure) -> FigureRecord:
    """Return the record of a figure, without changing the figure. Raises ValueError if the figure is too large.

    If an artist raises, as for a wrong formula, the error's text is the record's `error`.
    """
    try:
        with undisturbed(figure):
            record = _drawn(figure, "tight") or _drawn(figure, None)
    except Exception as error:
        if raising_module(error).startswith("app."):
            raise
        width, height = figure.get_size_inches()
        record = FigureRecord(width=_css(width), height=_css(height), error=str_of(error))
    if record is None:
        raise ValueError("the figure is too large")
    record.texts = texts_of(figure)
    return record


def _css(inches: float) -> float:
    """Return a length in CSS pixels, limited to the lengths that a figure's record may have."""
    return min(max(float(inches) * _PIXELS, 1.0), float(FIGURE_PIXELS))


def _drawn(figure: Figure, box: Box) -> FigureRecord | None:
    """Draw a figure in `box` and return its record; None if the drawing is too large, as when an artist is far from the axes."""
    try:
        svg = draw_svg(figure, _SVG_CHARACTERS, _IMAGE_DPI, box)
        is_whole = True
    except TooMuch as error:
        svg = error.beginning
        is_whole = False
    found = _VIEW_BOX.search(svg)
    width, height = (float(points) / _POINTS for points in found.groups()) if found else (0.0, 0.0)
    if max(width, height) * _PIXELS > FIGURE_PIXELS:
        return None
    if is_whole:
        try:
            drawing = build_tree(svg, _PIXELS / _POINTS, follows_theme(figure))
            return FigureRecord(width=width * _PIXELS, height=height * _PIXELS, drawing=drawing)
        except (NoTree, ParseError, ValueError):
            pass
    return _png_record(figure, box, max(width, height))


def _png_record(figure: Figure, box: Box, inches: float) -> FigureRecord | None:
    """Return a record with a PNG of the highest resolution at which the PNG is small enough; None if there is no such resolution."""
    for dpi in _PNG_DPIS:
        if inches * dpi < FIGURE_PIXELS and len(png := draw_png(figure, dpi, box)) <= _PNG_BYTES:
            width, height = struct.unpack(">II", png[16:24])
            return FigureRecord(width=width * _PIXELS / dpi, height=height * _PIXELS / dpi, png=b64encode(png).decode())
    return None
