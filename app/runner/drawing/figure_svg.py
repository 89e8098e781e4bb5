"""Renders a figure's drawing as SVG from its typed elements, so that no markup of a child gets into a page.

A reference must lead to an element of the same drawing and of the right kind, and that element may not refer to another. Otherwise a few
elements could stand for millions. Ids begin with a digest of the drawing, so two figures of a page share no ids, unless they are the same
figure. Equal drawings give equal texts.
"""

import hashlib
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import msgspec

from app.locale.messages import translator
from app.protocol.records.figure import FigureElement, FigureRecord
from app.protocol.run import Lang
from app.runner.drawing.graph_svg import attribute, number
from app.runner.drawing.label import clean

_TARGETS = {"href": "path", "clip-path": "clipPath", "fill": "pattern", "stroke": "pattern"}
_FINAL = {"clipPath", "pattern"}  # these elements, and the elements in them, may not refer to others
_INITIAL = {"fill": "#000000", "stroke": "none"}  # set on these elements, so that the elements in them inherit no reference from outside
_CHILDREN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("svg", "g", "defs"), ("g", "defs", "clipPath", "pattern", "path", "use", "rect", "text", "image")),
    **dict.fromkeys(_FINAL, ("path", "rect")),
}


def render_figure(record: FigureRecord, drawing: list[FigureElement], lang: Lang) -> str:
    """Return a well-formed, inert `<svg class="figure">`. Raises ValueError for a drawing whose references are wrong."""
    svg = Element("svg", {"class": "figure", "xmlns": "http://www.w3.org/2000/svg"})
    width, height = number(record.width), number(record.height)
    svg.attrib |= {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    svg.attrib |= {"role": "img", "aria-label": describe(record.texts, lang)}
    _Writer(drawing).write(drawing, svg)
    return ElementTree.tostring(svg, encoding="unicode")


def describe(texts: Iterable[str], lang: Lang) -> str:
    translate, words = translator(lang), ", ".join(texts)
    return attribute(translate("Figure: {texts}").format(texts=words) if words else translate("Figure"))


def walk(elements: list[FigureElement]) -> Iterator[FigureElement]:
    """Yield these elements and all that are in them."""
    for element in elements:
        yield element
        yield from walk(element.children)


class _Writer:
    def __init__(self, drawing: list[FigureElement]) -> None:
        self._prefix = f"f{hashlib.sha256(msgspec.msgpack.encode(drawing)).hexdigest()[:10]}-"
        self._tags: dict[str, str] = {}
        for element in walk(drawing):
            if name := element.attributes.get("id"):
                if name in self._tags:
                    raise ValueError("two elements have one id")
                self._tags[name] = element.tag

    def write(self, elements: list[FigureElement], parent: Element) -> None:
        for element in elements:
            if element.tag not in _CHILDREN.get(parent.tag, ()):
                raise ValueError(f"a {element.tag} has no place in a {parent.tag}")
            written = SubElement(parent, element.tag, _INITIAL if element.tag in _FINAL else {})
            for name, value in element.attributes.items():
                written.set(name, self._resolve(name, value, {parent.tag, element.tag}))
            if element.png is not None:
                written.set("href", f"data:image/png;base64,{element.png}")
            if element.tag == "text":
                written.text = clean(element.text)
            self.write(element.children, written)

    def _resolve(self, name: str, value: str, tags: set[str]) -> str:
        """Return the attribute's value for the page, with a prefix before ids. `tags`: of the element and its parent."""
        if name == "id":
            return self._prefix + value
        if name != "href" and not value.startswith("url("):
            return value
        target = value.removeprefix("url(").removesuffix(")").removeprefix("#")
        if tags & _FINAL or self._tags.get(target) != _TARGETS[name]:
            raise ValueError(f"{name}: a reference that leads nowhere")
        return value.replace("#", f"#{self._prefix}", 1)
