"""A matplotlib figure: a drawing in elements from an allow-list, or a PNG. The runner turns either into what a page may show.

The child sends no markup. Its drawing is a tree of elements and presentation attributes, decoded into the types below, from which the
runner builds the SVG: there is no parser of markup to attack, and what is not listed here does not pass.
"""

import re
from typing import Annotated, Literal

import msgspec

from app.protocol.records.record import Label, Record

FIGURE_ELEMENTS = 20_000
FIGURE_DEPTH = 24
FIGURE_PIXELS = 4096  # the largest width or height
PNG_BYTES = 2 * 1024 * 1024
FIGURE_TEXTS = 200

Tag = Literal["g", "defs", "clipPath", "pattern", "path", "use", "rect", "text", "image"]

# possessive (*+, ++) throughout: a value that does not match is found out in one pass, however it is written
_SPACE = r"[ \t\r\n]*+"
_NUMBER = r"-?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?+"
_NUMBERS = rf"{_SPACE}(?:{_NUMBER}[ \t\r\n,]*+)*+"
_ID = r"[A-Za-z][A-Za-z0-9_-]{0,63}"
_URL = rf"url\(#{_ID}\)"

# each attribute that may stand in a drawing, and what its value must look like as a whole
ATTRIBUTES: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for names, pattern in (
        ("x y width height stroke-width stroke-dashoffset font-size", rf"{_NUMBER}(?:px)?"),
        ("opacity fill-opacity stroke-opacity", _NUMBER),
        ("stroke-dasharray", _NUMBERS),
        ("fill stroke", rf"none|#[0-9a-f]{{6}}|{_URL}"),
        # these may be megabytes long; testing each character costs a twentieth of parsing
        ("d", r"[MmLlHhVvCcSsQqTtAaZzEe0-9+\-., \t\r\n]*+"),
        ("transform", rf"{_SPACE}(?:(?:translate|scale|rotate|matrix|skewX|skewY)\({_NUMBERS}\){_SPACE})*+"),
        ("id", _ID),
        ("href", rf"#{_ID}"),
        ("clip-path", _URL),
        ("patternUnits", "userSpaceOnUse"),
        ("image-rendering", "pixelated"),
        ("stroke-linecap", "butt|round|square"),
        ("stroke-linejoin", "miter|round|bevel"),
        ("text-anchor", "start|middle|end"),
        ("font-style", "normal|italic|oblique"),
        ("font-weight", r"normal|bold|[1-9]00"),
        ("font-family", "serif|sans-serif|monospace"),
        ("data-fill data-stroke", "text|line|background|muted"),  # a default colour, in whose place the page's theme puts its own
    )
    for name in names.split()
}


class FigureElement(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """An element of a drawing. `png`: base64; every `image` has one, and no other element.

    Raises ValueError for what is not in `ATTRIBUTES`.
    """

    tag: Tag
    attributes: dict[Label, Annotated[str, msgspec.Meta(max_length=1_000_000)]] = {}
    children: list["FigureElement"] = []
    text: Label = ""
    png: Annotated[str, msgspec.Meta(max_length=2 * PNG_BYTES)] | None = None

    def __post_init__(self) -> None:
        for name, value in self.attributes.items():
            pattern = ATTRIBUTES.get(name)
            if pattern is None or not pattern.fullmatch(value):
                raise ValueError(f"a drawing has no attribute {name[:40]!r} like that")
        if (self.png is not None) != (self.tag == "image"):
            raise ValueError("an image, and nothing else, has a PNG")


class FigureRecord(Record, tag="figure", kw_only=True):
    """A figure. The child sends `drawing`, `png` (base64), or the `error` that matplotlib raised while it drew.

    From these the runner makes an `svg`, a new `png`, or a `note` why there is neither. `width` and `height` are in CSS pixels. `texts`:
    title, labels and legend, in reading order. Raises ValueError for a drawing that is too large or too deep.
    """

    width: Annotated[float, msgspec.Meta(gt=0, le=FIGURE_PIXELS)]
    height: Annotated[float, msgspec.Meta(gt=0, le=FIGURE_PIXELS)]
    texts: Annotated[list[Label], msgspec.Meta(max_length=FIGURE_TEXTS)] = []
    svg: str | None = None
    png: Annotated[str, msgspec.Meta(max_length=2 * PNG_BYTES)] | None = None
    note: Label | None = None
    error: Label | None = None
    drawing: list[FigureElement] | msgspec.UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        waiting = [(element, 1) for element in self.drawing or ()]
        seen = 0
        while waiting:
            element, depth = waiting.pop()
            seen += 1
            if depth > FIGURE_DEPTH or seen > FIGURE_ELEMENTS:
                raise ValueError(f"a drawing has at most {FIGURE_ELEMENTS} elements, {FIGURE_DEPTH} deep")
            waiting += [(child, depth + 1) for child in element.children]
