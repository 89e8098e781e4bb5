"""How pages look: columns and edges, what grows, the header everywhere, the font of mathematics, high contrast."""

import itertools
import re
from collections import defaultdict
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Locator, Page, expect

from app.protocol.run import Lang
from app.settings import PROJECT, Settings
from tests.browser.axe import Theme
from tests.browser.conftest import SINH_BAD, OpenPage, resize
from tests.browser.lesson_page import LessonPage
from tests.browser.records import gradcheck
from tests.browser.staged_runner import StagedRunner
from tests.browser.test_records import shown
from tests.own_course import load_own_course

THEMES: tuple[Theme, Theme] = ("light", "dark")
PAGES = ("/", "/playground", "/backward-twice", "/backward-twice/why", "/no/such-lesson")
COMPLEX = [[[-1.6718, 2.4812] if row == column else [0.0, 0.0] for column in range(6)] for row in range(6)]
EDGES = "elements => elements.map(element => element.getBoundingClientRect()).map(box => [box.left, box.right].map(Math.round).join())"
SMALL = """elements => elements.filter(element => element.checkVisibility({ visibilityProperty: true }))
    .map(element => [element.getBoundingClientRect(), element.textContent.trim()])
    .filter(([box]) => box.width && Math.min(box.width, box.height) < 24).map(([box, text]) => `${text} ${box.width}×${box.height}`)"""


def width_of_results(page: Page) -> float:
    """The width in pixels that a panel has in the column of results."""
    width: float = page.locator("aside.results > .empty").evaluate("element => element.getBoundingClientRect().width")
    return width


def fonts_of(page: Page, selector: str) -> set[tuple[str, bool]]:
    """The fonts that draw each match: their family, and whether the page brought it."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    nodes = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": selector})["nodeIds"]
    fonts = [font for node in nodes for font in session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]]
    return {(font["familyName"], font["isCustomFont"]) for font in fonts}


def luminance(colour: str) -> float:
    """WCAG's relative luminance of `rgb(…)` or `color(srgb …)`."""
    parts = [float(part) for part in re.findall(r"[\d.]+", colour)[:3]]
    shares = parts if colour.startswith("color(") else [part / 255 for part in parts]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def style_of(place: Locator, name: str) -> Any:
    return place.evaluate("(element, name) => getComputedStyle(element)[name]", name)


def test_scripts_and_styles_share_their_breakpoints() -> None:
    named = re.findall(r'"\((?:max|min)-width: ([\d.]+)em\)"', (PROJECT / "static/js/lib/breakpoints.js").read_text())
    [built] = Settings().static_folder.glob("page-*.css")
    used = set(re.findall(r"@media ?\((?:max|min)-width: ?([^)]+)\)", built.read_text()))
    assert used == {f"{width}em" for width in named}


@pytest.mark.parametrize("path", [SINH_BAD, "/zh-Hans/backward-twice/why"])
def test_results_have_room_beside_text_and_code_that_share_their_edges(open_page: OpenPage, path: str) -> None:
    page = open_page(path, width=1440)
    assert width_of_results(page) >= 500
    expect(page.locator(".rail")).to_be_visible()
    edges = page.locator("main > :is(h1, .lede), .text > p, .text .cell").evaluate_all(EDGES)
    assert len(edges) > 6
    assert len(set(edges)) == 1
    for width in (1024, 720, 360):
        resize(page, width)
        edges = page.locator("main > :is(h1, .lede), .text > p, .text .cell").evaluate_all(EDGES)
        assert len(set(edges)) == 1, (width, edges)


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_the_code_stays_where_it_is_when_results_come_and_when_it_is_edited(
    stage: tuple[str, StagedRunner], first_visit: Callable[..., Page], lang: str
) -> None:
    page = first_visit(stage[0], f"/{lang}/other-frameworks/relu", width=720)
    lesson, names, heights = LessonPage(page), ("relu-torch", "capped-torch"), defaultdict(list)

    def measure() -> None:
        for width, name in itertools.product((720, 560, 360), names):
            resize(page, width)
            heights[width, name].append(lesson.cell(name).locator(".cell-head").evaluate("element => element.offsetHeight"))

    for name in names:
        lesson.button("Run" if lang == "en" else "运行", name).wait_for()
    measure()
    for name in names:
        lesson.run(name)
    measure()
    for name in names:
        lesson.write("print()", name)
        page.wait_for_function("name => document.querySelector(`code-cell[data-cell=${name}]`).cell.changed.value", arg=name)
    measure()
    assert {place: all_three for place, all_three in heights.items() if len(set(all_three)) > 1} == {}
    assert [len(all_three) for all_three in heights.values()] == [3] * 6


@pytest.mark.same_page
def test_code_and_what_it_prints_show_the_characters_that_were_typed(lesson: LessonPage) -> None:
    """`|=` and `<=` are two signs each, not one that no keyboard has."""
    lesson.run()
    places = (lesson.editor(), lesson.page.locator(".output").first, lesson.page.locator(".text code").first)
    assert {style_of(place, "fontVariantLigatures") for place in places} == {"none"}


def test_a_name_in_a_title_breaks_after_its_underscore_and_no_line_is_wider_than_its_cell(open_page: OpenPage) -> None:
    """At a desk all code of the course is read without scrolling."""
    page = open_page("/en/backward-twice/once-differentiable", width=1440)
    for title in (page.locator("h1"), page.locator(".rail a", has_text="once_differentiable")):
        assert "once_<wbr>differentiable" in title.inner_html()
    page.wait_for_selector(".cm-content")
    wide = page.locator(".cm-scroller").evaluate_all("elements => elements.map(one => one.scrollWidth - one.clientWidth)")
    assert max(wide) == 0


def test_everything_grows_on_a_very_wide_screen(open_page: OpenPage) -> None:
    page = open_page(width=1440)
    parts = ("main h1", "main p", ".cell .cm-content", ".empty", ".rail", ".top .ghost")
    before = None
    for width in (1440, 1920, 2560, 3840):
        page.set_viewport_size({"width": width, "height": width * 9 // 16})
        sizes = [float(style_of(page.locator(part).first, "fontSize").removesuffix("px")) for part in parts]
        sizes += page.locator(".rail .lesson-dot, .brand svg, .top button:visible, .empty .graph").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().width)"
        )
        assert before is None or all(now > then * 1.1 for now, then in zip(sizes, before, strict=True)), (width, sizes, before)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        filled = page.locator("aside.results").bounding_box()
        assert filled is not None
        assert filled["x"] + filled["width"] > 0.9 * width
        before = sizes


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
@pytest.mark.parametrize("path", PAGES)
def test_the_header_leads_to_the_playground_and_to_help_on_the_smallest_screens(open_page: OpenPage, path: str, lang: str) -> None:
    page = open_page(f"/{lang}{path}", width=360, height=740)
    top = page.locator(".top")
    assert page.evaluate("document.documentElement.scrollWidth") == 360  # nothing on the whole page is wider
    for width in (360, 320):
        resize(page, width, 740)
        assert top.evaluate("element => element.scrollWidth <= element.clientWidth")
        boxes = top.locator(".brand svg, .search-control, .top-segments a:not([aria-current]), button").evaluate_all(
            "elements => elements.map(element => element.getBoundingClientRect()).map(box => [box.left, box.right, box.top, box.bottom])"
        )
        bar = top.bounding_box()
        assert bar is not None
        assert len(boxes) == 6
        assert all(
            left >= 0 and right <= width and upper >= bar["y"] and lower <= bar["y"] + bar["height"] for left, right, upper, lower in boxes
        )
        assert all(one[1] <= other[0] for one, other in zip(sorted(boxes), sorted(boxes)[1:], strict=False)), "they overlap"
    top.get_by_role("button", name="Keys and help" if lang == "en" else "快捷键与帮助").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    top.get_by_role("button", name="Pages" if lang == "en" else "页面").click()
    top.get_by_role("link", name="Playground" if lang == "en" else "练习场").click()
    page.wait_for_url(f"**/{lang}/playground")


def test_a_question_mark_lists_the_keys_on_the_map(open_page: OpenPage) -> None:
    page = open_page("/en/")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


@pytest.mark.parametrize(("lang", "word"), [("en", "planned"), ("zh-Hans", "计划中")])
def test_the_map_shows_which_chapters_are_planned(open_page: OpenPage, lang: Lang, word: str) -> None:
    page = open_page(f"/{lang}/map")
    assert [text.strip() for text in page.locator(".chapter-number").all_text_contents()] == [*"123456", "", "7", "8"]
    expect(page.locator(".chapter-fold:has(#bench) .chapter-number svg")).to_be_visible()
    expect(page.locator(".chapter-fold:has(#bench) h2")).to_have_text({"en": "The bench", "zh-Hans": "工作台"}[lang])
    planned = page.locator(".chapter.planned")
    expected = [chapter.title[lang] for chapter in load_own_course().course.chapters if chapter.planned]
    expect(planned.get_by_role("heading")).to_contain_text(expected)
    assert planned.locator(".chapter-size").all_text_contents() == [word] * planned.count()
    assert all(len(promise) > 10 for promise in planned.locator(".chapter-promise").all_text_contents())
    expect(planned.locator("a")).to_have_count(0)


@pytest.mark.parametrize("path", ["/en/backward-twice/why", "/zh-Hans/backward-twice/sinh-bad"])
def test_mathematics_is_set_in_our_own_font(open_page: OpenPage, path: str) -> None:
    page = open_page(path)
    page.evaluate("document.fonts.ready")
    assert fonts_of(page, "math :is(mi, mn, mo)") == {("STIX Two Math", True)}


def test_brackets_and_roots_grow_with_what_they_hold(open_page: OpenPage) -> None:
    """They grow only in a font with a MATH table."""
    page = open_page("/en/backward-twice/why")
    heights = page.evaluate("""async () => {
        const rows = "<mtr><mtd><mfrac><mn>1</mn><mn>2</mn></mfrac></mtd></mtr>".repeat(4);
        const math = `<math display="block"><mrow><mo>(</mo><mtable>${rows}</mtable><mo>)</mo></mrow></math>`;
        document.querySelector(".text").insertAdjacentHTML("afterbegin", math);
        await document.fonts.ready;
        const height = (name) => document.querySelector(`.text > math ${name}`).getBoundingClientRect().height;
        return [height("mtable"), height("mo")];
    }""")
    assert heights[1] >= heights[0]


def test_scripts_of_all_letters_stand_on_one_line(open_page: OpenPage) -> None:
    page = open_page("/en/backward-twice/why")
    bottoms = page.evaluate("""async () => {
        const scripts = ["<mi>x</mi>", "<mi>y</mi>", "<mi>A</mi>", `<mo stretchy="false">)</mo>`].flatMap((base) =>
            [`<msub>${base}<mn>1</mn></msub>`, `<msup>${base}<mn>1</mn></msup>`]);
        document.querySelector(".text").insertAdjacentHTML("afterbegin", `<p><math><mrow>${scripts.join("")}</mrow></math></p>`);
        await document.fonts.ready;
        return [...document.querySelectorAll(".text > p:first-child mn")].map((script) => script.getBoundingClientRect().bottom);
    }""")
    for line in (bottoms[::2], bottoms[1::2]):
        assert max(line) - min(line) < 1


def test_a_bar_keeps_clear_of_its_letter(site: str, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(device_scale_factor=4).new_page()
    page.goto(site + "/en/backward-twice/why")
    page.evaluate("""async () => {
        const math = '<math><mover accent="true"><mi>B</mi><mo>¯</mo></mover></math>';
        document.querySelector(".text").insertAdjacentHTML("afterbegin", `<p>${math}</p>`);
        await document.fonts.ready;
    }""")
    picture = Image.open(BytesIO(page.locator("mover").screenshot())).convert("L")
    rows = [min(picture.crop((0, top, picture.width, top + 1)).tobytes()) < 128 for top in range(picture.height)]
    runs = [dark for dark, _ in itertools.groupby(rows)]
    assert runs.count(True) == 2, "the bar and the letter are one"


def test_nothing_gapes_beside_a_root_not_even_where_it_was_folded(open_page: OpenPage) -> None:
    page = open_page("/en/autograd/backward")
    page.get_by_role("button", name="What cell 1 shows").click()
    expect(page.get_by_text("They hold for these two inputs only.")).to_be_visible()
    page.wait_for_function("() => [...document.querySelectorAll('msqrt')].every((root) => parseFloat(root.style.marginInlineEnd) < -0.2)")


def test_only_pages_with_mathematics_fetch_its_font(site: str, new_context: Callable[..., BrowserContext]) -> None:
    page = new_context().new_page()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url) if "/maths" in request.url else None)
    page.goto(f"{site}/en/playground", wait_until="networkidle")
    assert fetched == []
    page.goto(f"{site}/en/backward-twice/why", wait_until="networkidle")
    assert [url.rpartition("/")[2].partition("-")[0] for url in fetched] == ["maths"]


def test_numbers_keep_clear_of_their_cells_edges_and_complex_ones_are_whole(staged: tuple[LessonPage, StagedRunner]) -> None:
    page = staged[0].page
    real = [[-0.0123, 1234.5, 0.5], [-1.23e-7, 0.0, -98765.4], [2.0, "nan", "-inf"]]
    single = [[[-1.2345, 0.25]]]
    results = shown(staged, gradcheck(COMPLEX, COMPLEX), gradcheck(real, real), gradcheck(single, [[[0.5, 0.0]]]))
    zero = results.locator(".heat-table .h0").first
    for theme, width in itertools.product(THEMES, (1440, 360)):
        resize(page, width)
        page.emulate_media(color_scheme=theme)
        gaps = results.locator(".heat-table td > span:not(.worst-word)").evaluate_all(
            """elements => elements.map(element => {
                const [inner, outer] = [element.getBoundingClientRect(), element.parentElement.getBoundingClientRect()];
                return [Math.min(inner.left - outer.left, outer.right - inner.right), inner.height <= outer.height, element.textContent];
            })"""
        )
        assert any(text == "+2.48j" for _, _, text in gaps), (theme, width)
        assert [gap for gap in gaps if gap[0] < 3 or not gap[1]] == [], (theme, width)
        panel = style_of(results.locator(".panel").first, "backgroundColor")
        assert contrast(style_of(zero, "backgroundColor"), panel) > 1.15, (theme, width)
        assert contrast(style_of(zero, "backgroundColor"), style_of(zero, "color")) >= 4.5, (theme, width)


@pytest.mark.same_page
def test_a_missing_thing_is_boxed_as_in_a_graph_and_not_underlined(lesson: LessonPage) -> None:
    missing = lesson.page.locator(".text .missing").first
    assert (style_of(missing, "textDecorationLine"), style_of(missing, "borderTopStyle")) == ("none", "dashed")


def test_high_contrast_keeps_what_colours_told(stage: tuple[str, StagedRunner], empty_page: Callable[..., Page]) -> None:
    address, runner = stage
    page = empty_page(address, forced_colors="active")
    page.add_init_script("localStorage.setItem('gradroom/progress', JSON.stringify({'backward-twice/sinh-bad': ['sinh-bad']}))")
    page.goto(address + SINH_BAD)
    check = gradcheck([[1.0]], [[2.0]])
    results = shown((LessonPage(page), runner), {**check, "pairs": [*check["pairs"], *check["pairs"]]})  # type: ignore[misc]
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        for mark in (page.locator(".rail [aria-current]"), results.locator("[aria-pressed=true]"), page.locator(".cell.active")):
            assert style_of(mark, "outlineStyle") == "solid", theme
        assert style_of(results.locator("[aria-pressed=false]"), "outlineStyle") == "none", theme
        worst = results.locator(".heat-table .worst")
        assert contrast(style_of(worst, "backgroundColor"), style_of(worst, "color")) >= 4.5, theme
        assert style_of(page.locator(".rail .lesson-tried .lesson-dot"), "backgroundImage") != "none", theme


@pytest.mark.parametrize("path", PAGES)
def test_targets_are_large_enough_at_twice_the_size_and_on_a_phone(open_page: OpenPage, path: str) -> None:
    """A page zoomed to 200% at 1440 pixels is 720 wide."""
    page = open_page(f"/en{path}", width=720)
    page.wait_for_function("() => document.documentElement.dataset.scripted === ''")
    for width in (720, 360):
        resize(page, width)
        assert page.locator("button, .top a, .path a, .error-ways a, .page-turn a, summary, select").evaluate_all(SMALL) == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.same_page
def test_nothing_moves_for_those_who_ask_for_less_motion(lesson: LessonPage) -> None:
    lesson.run()
    assert style_of(lesson.page.locator(".ghost").first, "transitionDuration") == "0s"
    expect(lesson.cell().locator(".cm-cursor-primary")).to_be_visible()  # which would blink
    moving = "document.getAnimations().map(one => one.animationName ?? one.transitionProperty)"
    assert lesson.page.evaluate(moving) == []
