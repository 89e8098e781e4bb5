"""The SVG of a figure: what was drawn is there, hostile or not it is inert, and a drawing that does not hold together is refused."""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from app.protocol.records.figure import FigureElement, FigureRecord
from app.protocol.run import Lang
from app.runner.drawing.figure_svg import render_figure

SVG = "{http://www.w3.org/2000/svg}"
LINE = FigureElement("path", {"d": "M 0 0 L 1 1", "stroke": "#ff0000", "data-stroke": "line"})
MARKER = FigureElement("defs", {}, [FigureElement("path", {"id": "i0", "d": "M 0 0"})])
CLIP = FigureElement("clipPath", {"id": "i1"}, [FigureElement("rect", {"width": "1", "height": "1"})])
PATTERN = FigureElement("pattern", {"id": "i2", "width": "72"}, [FigureElement("rect", {"width": "1"})])


def render(*drawing: FigureElement, texts: tuple[str, ...] = (), lang: Lang = "en") -> Element:
    return ElementTree.fromstring(render_figure(FigureRecord(width=640, height=480.01, texts=list(texts)), list(drawing), lang))


def test_the_drawing_stands_in_an_svg_of_its_size() -> None:
    svg = render(LINE)
    assert (svg.tag, svg.get("class"), svg.get("viewBox"), svg.get("width")) == (f"{SVG}svg", "figure", "0 0 640 480", "640")
    (path,) = svg
    assert path.attrib == {"d": "M 0 0 L 1 1", "stroke": "#ff0000", "data-stroke": "line"}


@pytest.mark.parametrize(
    ("lang", "texts", "name"),
    [
        ("en", ("Loss", "step"), "Figure: Loss, step"),
        ("zh-Hans", ("损失",), "图：损失"),
        ("en", (), "Figure"),
        ("en", ("\x1b<b>",), "Figure: ␛<b>"),
    ],
)
def test_its_accessible_name_is_its_texts_in_the_runs_language(lang: Lang, texts: tuple[str, ...], name: str) -> None:
    svg = render(LINE, texts=texts, lang=lang)
    assert (svg.get("role"), svg.get("aria-label")) == ("img", name)


def test_references_lead_to_ids_that_no_other_figure_has() -> None:
    use = FigureElement("use", {"href": "#i0", "clip-path": "url(#i1)", "fill": "url(#i2)"})
    svg = render(MARKER, CLIP, PATTERN, use)
    ids = [element.get("id") for element in svg.iter() if element.get("id")]
    assert [svg[3].get(name) for name in ("href", "clip-path", "fill")] == [f"#{ids[0]}", f"url(#{ids[1]})", f"url(#{ids[2]})"]
    other = render(MARKER, CLIP, PATTERN, use, LINE)
    assert not {element.get("id") for element in other.iter()} & set(ids)


def test_the_same_drawing_gives_the_same_text() -> None:
    record = FigureRecord(width=1, height=1)
    assert render_figure(record, [MARKER], "en") == render_figure(record, [MARKER], "en")


def test_an_image_is_a_png_in_place() -> None:
    assert render(FigureElement("image", {"width": "1"}, png="AAAA"))[0].get("href") == "data:image/png;base64,AAAA"


def test_text_is_only_text() -> None:
    svg = render(FigureElement("text", {"x": "0"}, text="</text><script>alert(1)</script>\x00\u202e"))
    assert svg[0].text == "</text><script>alert(1)</script>␀\ufffd"
    assert [element.tag for element in svg.iter()] == [f"{SVG}svg", f"{SVG}text"]


def test_what_is_in_a_pattern_inherits_no_pattern() -> None:
    ((pattern,),) = render(FigureElement("g", {"fill": "url(#i2)", "stroke": "url(#i2)"}, [PATTERN]))
    assert (pattern.get("fill"), pattern.get("stroke")) == ("#000000", "none")


def group(*children: FigureElement) -> FigureElement:
    return FigureElement("g", {}, list(children))


@pytest.mark.parametrize(
    "drawing",
    [
        [FigureElement("use", {"href": "#i9"})],
        [FigureElement("path", {"clip-path": "url(#i9)"})],
        [MARKER, FigureElement("path", {"clip-path": "url(#i0)"})],
        [CLIP, FigureElement("use", {"href": "#i1"})],
        [MARKER, FigureElement("path", {"fill": "url(#i0)"})],
        [FigureElement("g", {"id": "a"}, [LINE]), FigureElement("use", {"href": "#a"})],
        [FigureElement("use", {"id": "a", "href": "#a"})],
        [MARKER, FigureElement("use", {"id": "a", "href": "#i0"}), FigureElement("use", {"href": "#a"})],
        [MARKER, MARKER],
        [MARKER, FigureElement("clipPath", {"id": "a"}, [FigureElement("use", {"href": "#i0"})])],
        [CLIP, FigureElement("clipPath", {"id": "a"}, [FigureElement("path", {"clip-path": "url(#i1)"})])],
        [PATTERN, FigureElement("pattern", {"id": "a"}, [FigureElement("rect", {"fill": "url(#i2)"})])],
        [FigureElement("pattern", {"id": "a", "fill": "url(#a)"}, [LINE])],
        [CLIP, FigureElement("clipPath", {"id": "a", "clip-path": "url(#i1)"}, [LINE])],
        [FigureElement("pattern", {"id": "a"}, [group(LINE)])],
        [FigureElement("path", {"d": "M 0 0"}, [LINE])],
        [FigureElement("text", {}, [FigureElement("image", {}, png="")])],
    ],
)
def test_a_drawing_that_does_not_hold_together_is_refused(drawing: list[FigureElement]) -> None:
    with pytest.raises(ValueError):
        render(*drawing)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("onload", "alert(1)"),
        ("style", "color: red"),
        ("class", "banner"),
        ("href", "https://example.org/#a"),
        ("href", "javascript:alert(1)"),
        ("xlink:href", "#a"),
        ("fill", "url(https://example.org/#a)"),
        ("fill", "red"),
        ("fill", "expression(1)"),
        ("transform", "translate(1) onload=1"),
        ("d", "M 0 0\x0b"),
        ("x", "١"),
        ("id", "a b"),
        ("font-family", "serif; x"),
        ("data-fill", "other"),
    ],
)
def test_an_attribute_that_is_not_listed_is_none(name: str, value: str) -> None:
    with pytest.raises(ValueError):
        FigureElement("path", {name: value})
