"""Draws a figure as PNG, or as SVG whose texts are text elements. The program sees no change of the figure. Runs in the child."""

import io
import logging
import math
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from logging.handlers import BufferingHandler
from typing import Any, Literal

import matplotlib as mpl
import numpy
from matplotlib import colors, font_manager
from matplotlib.backends import backend_svg
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.cbook import _setattr_cm
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from app.runtimes.instruments.figures.theme import role_of
from app.runtimes.silence import ignored_warnings

Box = Literal["tight"] | None

_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "gradroom",
    "svg.image_inline": True,
    "svg.id": None,
    "savefig.transparent": False,
}
_SAVE: dict[str, Any] = {"facecolor": "auto", "edgecolor": "auto", "pad_inches": 0.1}
_NO_METADATA = {"Creator": None, "Date": None, "Format": None, "Type": None}

_RendererSVG: Any = backend_svg.RendererSVG
_FORMULA = re.compile(r"(?<!\\)(\$(?:[^$\\]|\\.)*\$)")
_rgb2hex = colors.rgb2hex
_logger = logging.getLogger("matplotlib")


class TooMuch(Exception):
    """The SVG is longer than allowed. `beginning` is the text that was written before the limit."""

    def __init__(self, beginning: str) -> None:
        super().__init__("the drawing is too long")
        self.beginning = beginning


def draw_svg(figure: Figure, characters: int, dpi: float, box: Box) -> str:
    """Return the figure as SVG. Raises TooMuch if the SVG has more than `characters` characters, and what artists raise.

    `dpi` is the resolution of images in the SVG. If `box` is "tight", the drawing encloses all artists. If it is None, the drawing has the
    figure's own size.
    """
    sheet = _Sheet(characters)
    FigureCanvasSVG(figure).print_figure(sheet, format="svg", dpi=dpi, bbox_inches=box, metadata=_NO_METADATA, **_SAVE)
    return sheet.getvalue()


def draw_png(figure: Figure, dpi: float, box: Box) -> bytes:
    """Return the figure as a PNG with `dpi` pixels in an inch. `box` is as in `draw_svg`."""
    file = io.BytesIO()
    FigureCanvasAgg(figure).print_figure(file, format="png", dpi=dpi, bbox_inches=box, **_SAVE)
    return file.getvalue()


@contextmanager
def undisturbed(figure: Figure) -> Iterator[None]:
    """Restore, after the block, the figure, settings, warnings and logs, so that a program cannot see that the figure was drawn."""
    artists: list[Any] = figure.findobj()
    canvas, stale = figure.canvas, [(artist, artist.stale) for artist in artists]
    with (
        ignored_warnings(),  # first, because restoring the settings gives warnings, too
        mpl.rc_context(_SETTINGS),
        numpy.errstate(all="ignore"),
        _unlogged(),
        canvas.callbacks.blocked(),
        _setattr_cm(backend_svg, RendererSVG=_Renderer, rgb2hex=_hex_with_role),
    ):
        try:
            yield
        finally:
            figure.set_canvas(canvas)
            for artist, was_stale in stale:
                artist._stale = was_stale  # not the property, which would also mark the figure


@contextmanager
def _unlogged() -> Iterator[None]:
    """Drop what matplotlib logs within the block, such as missing fonts. It logs this again if the learner draws afterwards."""
    dropped = BufferingHandler(capacity=1000)
    with _setattr_cm(_logger, handlers=[dropped], propagate=False):
        yield
    if dropped.buffer:
        fonts: Any = font_manager.fontManager
        fonts._findfont_cached.cache_clear()


class _Sheet(io.StringIO):
    """A text file that holds at most `characters` characters. Writing more raises TooMuch."""

    def __init__(self, characters: int) -> None:
        super().__init__()
        self._left = characters

    def write(self, text: str, /) -> int:
        self._left -= len(text)
        if self._left < 0:
            raise TooMuch(self.getvalue())
        return super().write(text)


class _Renderer(_RendererSVG):  # type: ignore[misc]  # it has no types
    """matplotlib's SVG renderer, adapted to a page that draws texts in its own fonts.

    Formulas become outlines. A wide character, such as a Chinese one, takes as much room as it needs on the page.
    """

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> tuple[float, float, float]:
        """Return the size of a text.

        A wide character counts as wide as the font is high, because matplotlib's fonts only have a narrow box for it.
        """
        if (narrow := "".join(filter(_is_narrow, s))) == s:
            size: tuple[float, float, float] = super().get_text_width_height_descent(s, prop, ismath)
            return size
        if ismath is True:
            widths, heights, descents = zip(*(self.get_text_width_height_descent(*part) for part in _parts(s, prop)), strict=True)
            return sum(widths), max(heights), max(descents)
        _, height, descent = super().get_text_width_height_descent(s, prop, ismath)
        width = super().get_text_width_height_descent(narrow, prop, ismath)[0] if narrow else 0.0
        return width + (len(s) - len(narrow)) * prop.get_size_in_points(), height, descent

    def _draw_text_as_text(
        self, gc: Any, x: float, y: float, s: str, prop: FontProperties, angle: float, ismath: Any, mtext: Any = None
    ) -> None:
        turn = math.radians(angle)
        if ismath and all(map(_is_narrow, s)):
            self._draw_text_as_path(gc, x, y, s, prop, angle, ismath, mtext)
        elif ismath:
            for part, _, is_formula in _parts(s, prop):
                draw = self._draw_text_as_path if is_formula else super()._draw_text_as_text
                draw(gc, x, y, part, prop, angle, is_formula, None)
                width = self.get_text_width_height_descent(part, prop, is_formula)[0]
                x, y = x + width * math.cos(turn), y - width * math.sin(turn)
        elif mtext and (angle == 0 or mtext.get_rotation_mode() == "anchor"):
            super()._draw_text_as_text(gc, x, y, s, prop, angle, ismath, mtext)
        else:  # matplotlib anchors the text at its start, so the width of another font would move it
            half = self.get_text_width_height_descent(s, prop, ismath)[0] / 2
            self.writer.start("g", {"style": "text-anchor: middle"})
            super()._draw_text_as_text(gc, x + half * math.cos(turn), y - half * math.sin(turn), s, prop, angle, ismath, mtext)
            self.writer.end("g")


def _is_narrow(character: str) -> bool:
    return unicodedata.east_asian_width(character) not in "WF"


def _parts(text: str, prop: FontProperties) -> list[tuple[str, FontProperties, bool]]:
    """Split a text into words and formulas. Return each part with the font, and with True if it is a formula.

    Spaces in words become no-break spaces, because SVG would drop some of them.
    """
    parts = ((part, part.startswith("$")) for part in _FORMULA.split(text) if part)
    return [(part if is_formula else part.replace(r"\$", "$").replace(" ", "\xa0"), prop, is_formula) for part, is_formula in parts]


def _hex_with_role(colour: Any, *args: Any, **kwargs: Any) -> str:
    """Return a colour in RendererSVG's form. The role of a default colour is put before it, such as "ink#000000"."""
    return (role_of(colour) or "") + _rgb2hex(colour, *args, **kwargs)
