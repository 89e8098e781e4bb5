"""A node's label, split into lines and measured, so that a layout depends on no font of any machine.

Long lines are elided in the middle (the whole text stays in the node's title).
"""

import re
import unicodedata
from dataclasses import dataclass

from app.locale.messages import Translate, mark
from app.protocol.harmless import harmless
from app.protocol.records.graph import GraphNode, NodeKind

NAME_PIXELS = 12.5  # the font sizes the page's style sheet gives the two kinds of lines
SUB_PIXELS = 11.0
NARROW_EM = 0.6  # the advance of JetBrains Mono and of most monospace fonts; the text font is narrower
WIDE_EM = 1.0
LINE_EMS = 24.0  # 40 Latin characters
LINES = 12
LINE_CHARACTERS = 120  # bounds combining marks, which have no width
TITLE_CHARACTERS = 400
SHAPE = re.compile(r"\([\d, ]*\)")
_KINDS: dict[NodeKind, str] = {
    "function": mark("function"),
    "custom_function": mark("custom function"),
    "accumulate_grad": mark("accumulates"),
    "leaf": mark("leaf"),
    "output": mark("output"),
    "saved": mark("saved tensor"),
    "tensor": mark("tensor"),
}


@dataclass(frozen=True)
class Label:
    """The text in a node: a name, smaller lines (shape, attributes), or both. `width`: of the widest line, in points."""

    name: str
    subs: tuple[str, ...]
    title: str
    width: float


def parse_label(node: GraphNode, role: str = "", translate: Translate = str) -> Label:
    """Parse torchviz's label: a name, a newline, and the shape or attributes. Each part may be missing.

    `node.name` is preferred to the name in the label. `role`: further words about the node. They replace a missing name, or stand before
    the shape. A node without name, shape and role is named after its kind, in the run's language.
    """
    first, _, rest = clean(node.label).partition("\n")
    if SHAPE.fullmatch(first.strip()):
        first, rest = "", f"{first}\n{rest}"
    first, role = clean(node.name or first).strip(), clean(role)
    name = elide(first or role)
    lines = rest.split("\n")[:LINES]
    if role and first:
        lines = [f"{role} {rest}"] if SHAPE.fullmatch(rest.strip()) else [role, *lines]
    subs = tuple(elide(tidy(line)) for line in lines if line.strip(" -"))
    if not name and not subs:
        name = name_kind(node, translate)
    widths = [NAME_PIXELS * measure_ems(name), *(SUB_PIXELS * measure_ems(sub) for sub in subs)]
    title = " ".join([*first.split(), *rest.split(), *([f"· {role}"] if role else [])])
    return Label(name, subs, shorten(title or name, TITLE_CHARACTERS), max(widths))


def name_kind(node: GraphNode, translate: Translate) -> str:
    return translate(_KINDS[node.kind])


def clean(text: str) -> str:
    """Return the beginning of the text, without characters that XML cannot carry."""
    return harmless(text[:8192])


def tidy(line: str) -> str:
    """Return one line of torchviz's table of attributes, or a shape, without the padding of its columns."""
    return " ".join(line.split()).replace(" : ", ": ", 1)


def shorten(text: str, characters: int) -> str:
    return text if len(text) <= characters else text[: characters - 1] + "…"


def elide(line: str) -> str:
    """Return the line, with an ellipsis in the middle if it is too long."""
    if len(line) <= LINE_CHARACTERS and measure_ems(line) <= LINE_EMS:
        return line
    half = (LINE_EMS - WIDE_EM) / 2
    return take_ems(line, half) + "…" + take_ems(line[::-1], half)[::-1]


def take_ems(line: str, ems: float) -> str:
    """Return the longest beginning of the line that is no wider than `ems`."""
    taken = 0.0
    for index, character in enumerate(line[: LINE_CHARACTERS // 2]):
        taken += character_ems(character)
        if taken > ems:
            return line[:index]
    return line[: LINE_CHARACTERS // 2]


def measure_ems(line: str) -> float:
    """Return the width of a line in a monospace font, in ems."""
    if line.isascii():
        return NARROW_EM * len(line)
    return sum(character_ems(character) for character in line)


def character_ems(character: str) -> float:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    return WIDE_EM if unicodedata.east_asian_width(character) in ("W", "F", "A") else NARROW_EM
