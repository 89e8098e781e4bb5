"""How figures are drawn: which colours are the page's and which stay, and when the drawing is a PNG."""

from base64 import b64decode
from collections.abc import Iterator

import pytest

from app.protocol.geometry import PNG_SIGNATURE
from app.protocol.records.figure import FigureElement, FigureRecord
from tests.runtimes.children import Children

PLT = "import matplotlib.pyplot as plt\nimport numpy as np\n"
RED = "#ff0000"


def draw(children: Children, text: str) -> FigureRecord:
    ended = children.run(PLT + text)
    assert ended.stderr == ""
    (figure,) = ended.figures
    return figure


def elements(children: Children, text: str) -> list[FigureElement]:
    drawing = draw(children, text).drawing
    assert isinstance(drawing, list)
    return list(walk(drawing))


def walk(drawing: list[FigureElement]) -> Iterator[FigureElement]:
    for element in drawing:
        yield element
        yield from walk(element.children)


def roles(found: list[FigureElement]) -> set[str]:
    return {value for element in found for name, value in element.attributes.items() if name.startswith("data-")}


def colours(found: list[FigureElement]) -> set[str]:
    """Return the colours that are the same in every theme."""
    return {
        element.attributes[name]
        for element in found
        for name in ("fill", "stroke")
        if name in element.attributes and f"data-{name}" not in element.attributes
    }


def words(found: list[FigureElement]) -> set[str]:
    return {element.text for element in found if element.tag == "text"}


def test_texts_stay_text_and_default_colours_are_the_pages(children: Children) -> None:
    found = elements(children, "plt.plot([1, 2])\nplt.title('损失')\nplt.xlabel('<b>')\nplt.ylabel('y')\nplt.grid(True)")
    assert {"损失", "<b>", "y"} <= words(found)
    assert roles(found) == {"text", "line", "background", "muted"}
    assert colours(found) == {"#000000", "#1f77b4", "none"}  # the first is SVG's own, on the outermost group


@pytest.mark.parametrize(
    "text",
    [
        "plt.plot([1, 2], label='a')\nplt.legend()",
        "plt.annotate('a', (0, 0), (1, 1), arrowprops={'arrowstyle': '->'})",
        "plt.imshow(np.eye(3))\nplt.colorbar()",
        "plt.figure().add_subplot(projection='3d').plot([1], [1], [1])",
        "plt.subplots(2, 2)\nplt.suptitle('a')\nplt.minorticks_on()",
        "plt.boxplot(np.arange(10.) ** 3)",
        "plt.style.use('default')\nplt.rcdefaults()\nplt.plot([1, 2])",
        "with plt.style.context('ggplot'):\n    pass\nplt.plot([1, 2])",
        "fig = plt.figure()\nfig.subfigures(1, 2)[0].subplots()",
        "plt.subplot(projection='polar')",
        "plt.bar([1, 2], [1, 2], hatch='/')",
    ],
)
def test_whatever_has_a_default_colour_follows_the_page(children: Children, text: str) -> None:
    found = elements(children, text)
    assert roles(found) >= {"text", "line", "background"}
    assert not colours(found) & {"#ffffff", "#b0b0b0", "#cccccc", "#f2f2f2", "#e6e6e6", "#ececec"}
    assert [each.attributes for each in found if each.attributes.get("fill") == "#000000" and "data-fill" not in each.attributes][1:] == []


@pytest.mark.parametrize(
    "text",
    [
        "plt.plot([1, 2], color='red')",
        "plt.title('a', color='red')",
        "plt.gca().spines[:].set_color('red')",
        "plt.gca().tick_params(colors='red')",
        "plt.plot([1], label='a')\nplt.legend(edgecolor='red', labelcolor='red')",
        "plt.rcParams['text.color'] = 'red'\nplt.title('a')",
        "plt.grid(True, color='red')",
    ],
)
def test_a_colour_that_was_chosen_stays(children: Children, text: str) -> None:
    found = elements(children, text)
    assert RED in colours(found)
    assert "background" in roles(found)


@pytest.mark.parametrize(
    "text",
    [
        "plt.gcf().set_facecolor('white')\nplt.title('a')",
        "plt.gca().set_facecolor('wheat')",
        "plt.style.use('dark_background')\nplt.title('a')",
        "plt.style.use('ggplot')\nplt.title('a')",
        "plt.text(0, 0, 'a', bbox={'facecolor': 'wheat'})",
        "plt.plot([1], label='a')\nplt.legend(facecolor='white')",
        "plt.table([['1']])",
        "plt.imshow(np.ones((2, 2)))\nplt.text(0, 0, 'on the image')",
        "plt.plot([1, 2], 'k--')",
        "plt.plot([1, 2], color='#010101')",
        "plt.title('a', color='black')",
        "plt.quiver([1], [1])",
    ],
)
def test_a_figure_in_which_default_and_chosen_colours_could_not_be_told_apart_keeps_all_its_own(children: Children, text: str) -> None:
    assert roles(elements(children, text)) == set()


def test_formulas_are_outlines_in_the_texts_colour(children: Children) -> None:
    found = elements(children, "plt.title(r'$\\frac{1}{2}$')")
    assert not any("frac" in word for word in words(found))
    assert {"text"} == {element.attributes["data-fill"] for element in found if element.tag == "g" and "data-fill" in element.attributes}


def test_a_legend_has_room_for_chinese(children: Children) -> None:
    def width(label: str) -> float:
        return draw(children, f"plt.plot([1], label='{label}')\nplt.legend(bbox_to_anchor=(1, 1), loc='upper left')").width

    assert width("训练损失") - width("训") == pytest.approx(3 * 10 * 96 / 72, abs=0.5)


def test_a_legend_outside_the_axes_is_part_of_the_figure(children: Children) -> None:
    plain = draw(children, "plt.plot([1])").width
    assert draw(children, "plt.plot([1], label='a' * 20)\nplt.legend(bbox_to_anchor=(1.05, 1), loc='upper left')").width > plain + 100


def test_an_artist_far_away_does_not_enlarge_the_figure(children: Children) -> None:
    figure = draw(children, "plt.plot([0, 1])\nplt.text(1e4, 1e4, 'far')")
    assert (figure.width, figure.height) == pytest.approx((614.4, 460.8))


def test_an_image_is_a_png_in_the_drawing(children: Children) -> None:
    images = [element for element in elements(children, "plt.imshow(np.eye(3))") if element.tag == "image"]
    assert [b64decode(image.png or "")[:8] for image in images] == [PNG_SIGNATURE]


def test_a_drawing_refers_only_to_what_is_in_it_and_keeps_no_other_id(children: Children) -> None:
    found = elements(children, "plt.plot([1, 2], 'o')\nplt.scatter([1], [2])\nplt.bar([1], [1], hatch='/')\nplt.gcf().set_gid('mine')")
    ids = {element.attributes["id"] for element in found if "id" in element.attributes}
    values = [value for element in found for name, value in element.attributes.items() if name != "id"]
    references = {value.strip("url()#") for value in values if value.startswith(("#i", "url("))}
    assert references == ids
    assert ids


def test_the_points_of_a_scatter_say_together_what_they_have_in_common(children: Children) -> None:
    points = [element for element in elements(children, "plt.scatter(np.arange(50), np.arange(50))") if element.tag == "use"]
    assert {frozenset(point.attributes) for point in points if "fill" not in point.attributes} >= {frozenset({"href", "x", "y"})}


@pytest.mark.parametrize(
    "text",
    [
        "x = np.random.randn(100_000, 2)\nplt.scatter(x[:, 0], x[:, 1])",
        "plt.plot(np.random.randn(30_000), 'o')",
        "plt.imshow(np.random.rand(1000, 1000, 3))\nplt.gcf().set_size_inches(15, 15)",
        "plt.pcolormesh(np.random.rand(5, 5), shading='gouraud')",
    ],
)
def test_a_drawing_that_would_be_too_large_or_has_no_elements_is_a_png(children: Children, text: str) -> None:
    figure = draw(children, text + "\nplt.title('many')")
    assert not figure.drawing
    assert b64decode(figure.png or "").startswith(PNG_SIGNATURE)
    assert len(figure.png or "") < 1_500_000
    assert figure.texts == ["many"]
    assert 400 < figure.width < 1600


def test_control_characters_and_markup_in_texts_are_only_text(children: Children) -> None:
    assert "<script>alert(1)</script>\ufffd" in words(elements(children, "plt.title('<script>alert(1)</script>\\x1b')"))


def test_fonts_become_one_of_three(children: Children) -> None:
    families = ("serif", "monospace", "cursive", "No Such Font", "Times New Roman")
    found = elements(children, f"for family in {families}:\n    plt.text(0, 0, family, family=family, weight=850)")
    fonts = {element.text: element.attributes.get("font-family") for element in found if element.text in families}
    assert fonts == dict(zip(families, ("serif", "monospace", "sans-serif", "sans-serif", "serif"), strict=True))
    assert {element.attributes["font-weight"] for element in found if "font-weight" in element.attributes} == {"800"}


def test_chinese_beside_a_formula_stays_text(children: Children) -> None:
    found = elements(children, "plt.title(r'损失 $x^2$ 与 \\$5')\nplt.ylabel('率 $y$')")
    assert {word.strip() for word in words(found)} >= {"损失", "与\xa0$5", "率"}
    assert sum(element.tag == "use" and element.attributes.get("href", "").startswith("#i") for element in found) > 3


def test_a_space_in_a_formula_is_a_glyph_to_which_a_reference_leads(children: Children) -> None:
    found = elements(children, "plt.title(r'$a\\,b$ c')")
    ids = {element.attributes["id"] for element in found if "id" in element.attributes}
    assert {element.attributes["href"][1:] for element in found if "href" in element.attributes} <= ids
