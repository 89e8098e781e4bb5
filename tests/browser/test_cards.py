"""Cards on paper and on the screen."""

import io
import re

import pypdfium2
import pytest
from PIL import Image
from playwright.sync_api import Page

from app.lessons.model.model import LANGS
from app.protocol.run import Lang
from app.settings import PROJECT
from tests.browser.axe import violations
from tests.browser.conftest import OpenPage, resize

CARDS = sorted(path.stem for path in (PROJECT / "lessons/cards").glob("*.toml"))
A4 = {595, 842}  # in points
INSIDE = {False: 186, True: 273}  # millimetres from margin to margin, for a sheet upright and on its side
PIXELS = 96 / 25.4  # in a millimetre
NOT_WHOLE = """() => [document.documentElement, ...document.querySelectorAll("main, main *")]
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline")
    .map((element) => element.outerHTML.slice(0, 80))"""
TEXTS = "elements => elements.map((element) => element.textContent)"


def squeezed(text: str) -> str:
    return re.sub(r"\W|_", "", text)


def print_card(page: Page) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(page.pdf(format="A4", prefer_css_page_size=True))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("card", CARDS)
def test_a_card_is_one_sheet_that_holds_all_its_text_unshrunk(open_page: OpenPage, card: str, lang: Lang) -> None:
    page = open_page(f"/{lang}/cards/{card}", color_scheme="dark")
    document = print_card(page)
    assert len(document) == 1
    width, height = document[0].get_size()
    assert {round(width), round(height)} == A4
    printed = squeezed(document[0].get_textpage().get_text_range())
    texts = page.locator(".card :is(h1, h2, td, figcaption, .l, .card-rules p, dt a, dt code, dd)").evaluate_all(TEXTS)
    assert len(texts) > 20
    assert [text for text in texts if squeezed(text) not in printed] == []
    assert_that_it_fits(page)


def assert_that_it_fits(page: Page) -> None:
    """Assert that nothing is wider than its place or shrunk.

    Chromium prints a page smaller if it is too wide, and a column that is too long makes it wider.
    """
    landscape = page.locator("body.card-landscape").count() == 1
    page.emulate_media(media="print")
    resize(page, round(INSIDE[landscape] * PIXELS))
    assert page.evaluate(NOT_WHOLE) == []
    height = page.locator("main").evaluate("element => element.getBoundingClientRect().height")
    assert height <= (188 if landscape else 275) * PIXELS


def test_a_sheet_is_black_on_white_from_a_dark_screen_too(open_page: OpenPage) -> None:
    page = open_page("/en/cards/contract", color_scheme="dark")
    screen = Image.open(io.BytesIO(page.screenshot())).convert("L")
    sheet = print_card(page)[0].render().to_pil().convert("L")
    assert (screen.histogram().index(max(screen.histogram())) < 60, sheet.getpixel((5, 5)), sheet.getextrema()[0] < 40) == (True, 255, True)


@pytest.mark.parametrize("lang", LANGS)
def test_a_card_is_read_on_a_phone(open_page: OpenPage, lang: Lang) -> None:
    page = open_page(f"/{lang}/cards/frameworks", width=390, color_scheme="light")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".table[tabindex]").focus()  # it scrolls by keyboard
    assert violations(page) == []


@pytest.mark.parametrize("path", ["/reference", "/glossary", "/cards/messages"])
def test_axe_finds_nothing_to_object_to(open_page: OpenPage, path: str) -> None:
    assert violations(open_page(f"/zh-Hans{path}", color_scheme="dark")) == []


def test_the_button_prints_the_card(open_page: OpenPage) -> None:
    page = open_page("/en/cards/ctx")
    page.evaluate("window.print = () => { document.title = 'printed'; }")
    page.get_by_role("button", name="Print").click()
    assert page.title() == "printed"


def test_a_letter_leads_to_its_terms(open_page: OpenPage) -> None:
    page = open_page("/zh-Hans/reference")
    page.get_by_role("link", name="Z", exact=True).click()
    page.wait_for_url(re.compile(r"/zh-Hans/glossary#letter-z$"))
    term = page.get_by_role("term").filter(has_text="中间结果 intermediate")
    term.scroll_into_view_if_needed()
    assert term.is_visible()
