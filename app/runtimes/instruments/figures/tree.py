"""Turns matplotlib's SVG into the tree of elements of a figure's record. Attributes that the record does not list are left out.

`style` attributes become presentation attributes, since the page's policy blocks inline styles. Groups without attributes are dissolved.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from app.protocol.records.figure import ATTRIBUTES, FigureElement
from app.runtimes.instruments.figures.theme import vanishes_in_the_dark
from app.runtimes.plain_text import LABEL_CHARACTERS

Attributes = dict[str, str]

_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # characters that XML 1.0 cannot represent
_REFERRING = re.compile(r'(?:xlink:href="#|url\(#)([^")]+)')
_REFERENCE = re.compile(r"^(#|url\(#)([^)]+)")
_IMAGE = "data:image/png;base64,"
_ROOT = "{http://www.w3.org/2000/svg}svg"
_HREF = "{http://www.w3.org/1999/xlink}href"
_COLOURS = ("fill", "stroke")
_FAMILIES = {"monospace": "mono|courier|consol", "sans-serif": "sans", "serif": "serif|times|stix"}
_DRAWN = ("path", "use", "rect", "text")
_DEFINING = ("defs", "clipPath", "pattern")
_DISSOLVED = ("svg", "g", "a")
_SKIPPED = ("metadata", "style", "title")
_INHERITED = {name for name in ATTRIBUTES if name.startswith(("fill", "stroke", "font-", "data-", "text-"))}
_DEFAULTS = {"fill": "#000000", "stroke-linejoin": "round"}  # SVG's default, and the one of matplotlib's style sheet


class NoTree(ValueError):
    """The drawing has an element that the record does not know."""


class _NotListed(ValueError):
    """An attribute has a value that the record does not allow, so its element is left out."""


def build_tree(svg: str, scale: float, themed: bool) -> list[FigureElement]:
    """Return the drawing as elements, enlarged by the factor `scale`.

    `themed` says whether the page may replace the drawing's default colours. Raises NoTree, and what expat raises.
    """
    root = ElementTree.fromstring(_UNPRINTABLE.sub("\ufffd", svg))
    ids = {name: f"i{number}" for number, name in enumerate(dict.fromkeys(_REFERRING.findall(svg)))}
    builder = _Builder(ids, themed)
    children = builder.build_children(root)
    if themed and builder.vanishing:
        children = _Builder(ids, themed=False).build_children(root)
    share(children)
    return [FigureElement("g", {"transform": f"scale({scale:.6g})", **_DEFAULTS}, children)]


class _Builder:
    """Builds the elements of one drawing.

    `vanishing` becomes true if a colour would not be seen on a dark page. Then the figure needs a background of its own.
    """

    def __init__(self, ids: dict[str, str], themed: bool) -> None:
        self.vanishing = False
        self._ids = ids
        self._themed = themed

    def build_children(self, parent: Element, filled: bool = False) -> list[FigureElement]:
        """Return the elements in `parent`. `filled` says whether `parent` or an element around it has a `fill`."""
        children: list[FigureElement] = []
        for child in parent:
            for element in self._build(child, filled):
                last = children[-1] if children else None
                if last and last.tag == element.tag == "g" and last.attributes == element.attributes and "opacity" not in last.attributes:
                    last.children += element.children  # each point of a scatter plot is in a group of its own
                else:
                    children.append(element)
        return children

    def _build(self, source: Element, filled: bool) -> Iterator[FigureElement]:
        tag = source.tag.rpartition("}")[2]
        if tag in _SKIPPED:
            return
        try:
            attributes = self._read_attributes(source)
        except _NotListed:
            return
        if tag in _DRAWN:
            if not filled and "fill" not in attributes:
                self._read_colour("fill", _DEFAULTS["fill"], tag)
            if tag != "path" or "d" in attributes or "id" in attributes:  # a space in a formula is a path without `d`
                yield FigureElement(tag, attributes, text=(source.text or "")[:LABEL_CHARACTERS])  # type: ignore[arg-type]  # one of Tag
        elif tag == "image":
            yield FigureElement("image", attributes, png="".join(source.get(_HREF, "").removeprefix(_IMAGE).split()))
        elif tag in _DEFINING:
            children = self.build_children(source, filled=True)
            if children or tag != "defs":
                yield FigureElement(tag, attributes, children)  # type: ignore[arg-type]
        elif tag in _DISSOLVED:
            children = self.build_children(source, filled or "fill" in attributes)
            yield from [FigureElement("g", attributes, children)] if attributes and children else children
        else:
            raise NoTree(tag)

    def _read_attributes(self, source: Element) -> Attributes:
        """Return the attributes that the record lists. Raises _NotListed if one of them has a value that the record does not allow."""
        found: Attributes = {}
        declared = dict(_declarations_of(source))
        if declared.get("fill-opacity") == "0":
            declared |= {"fill": "none"}
        for name, value in declared.items():
            if name in _COLOURS and "url(" not in value:
                found |= self._read_colour(name, value, source.tag)
            elif name in ATTRIBUTES and (name != "id" or value in self._ids):
                found[name] = _REFERENCE.sub(lambda match: f"{match[1]}{self._ids[match[2]]}", value)
                found[name] = self._ids[value] if name == "id" else found[name]
                if not ATTRIBUTES[name].fullmatch(found[name]):
                    raise _NotListed(name)
        return found

    def _read_colour(self, name: str, value: str, tag: str) -> Attributes:
        """Return the attributes for a colour. `value` may have a role before it, such as "ink#000000": see `_hex_with_role`."""
        role, mark, digits = value.rpartition("#")
        if not role:
            self.vanishing = self.vanishing or (mark == "#" and vanishes_in_the_dark(value))
            return {name: value}
        kind = {"ink": "line" if tag.endswith(_DRAWN[:3]) else "text", "paper": "background"}.get(role, role)
        return {name: f"#{digits}", f"data-{name}": kind} if self._themed else {name: f"#{digits}"}


def _declarations_of(source: Element) -> Iterator[tuple[str, str]]:
    """Yield the name and value of each attribute, and of each declaration in the attribute `style`."""
    for name, value in source.items():
        if name == "style":
            for declaration in value.split(";"):
                key, _, text = declaration.partition(":")
                yield key.strip(), _translate(key.strip(), text.strip())
        elif not value.startswith(_IMAGE) and source.tag != _ROOT:
            yield name.rpartition("}")[2], " ".join(value.split())


def _translate(name: str, value: str) -> str:
    """Return the value of a declaration in the form that the record allows."""
    if name == "font-family":
        last = value.lower().rpartition(",")[2]
        return next((family for family, pattern in _FAMILIES.items() if re.search(pattern, last)), "sans-serif")
    if name == "font-weight" and value.isdigit():
        return f"{min(max(round(int(value) / 100), 1), 9)}00"
    return "pixelated" if name == "image-rendering" else value


def share(elements: list[FigureElement]) -> None:
    """Move attributes that all elements of a group have to the group. Repeated for hundreds of elements, they would be most of the tree."""
    for element in elements:
        share(element.children)
        if element.tag == "g" and len(element.children) > 1:
            first, *others = (child.attributes.items() for child in element.children)
            common = {(name, value) for name, value in first if name in _INHERITED}.intersection(*others)
            element.attributes |= common
            for child in element.children:
                child.attributes = {name: value for name, value in child.attributes.items() if (name, value) not in common}
