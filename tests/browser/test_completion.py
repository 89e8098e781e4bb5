"""Completion, signatures and documentation in the editor, by the keyboard alone, in both languages."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import SINH_BAD
from tests.browser.lesson_page import LessonPage
from tests.browser.staged_runner import StagedRunner
from tests.browser.test_accessibility import violations

LIST = {"en": "Completions", "zh-Hans": "补全列表"}
DEAF_MS = 80  # CodeMirror's interactionDelay, and a little
LINK = {"en": "Documentation: docs.pytorch.org", "zh-Hans": "文档：docs.pytorch.org"}
SINH = "https://docs.pytorch.org/docs/stable/generated/torch.sinh.html#torch.sinh"


# what the editor says to a screen reader, which it takes back soon
LISTEN = """() => {
    window.heard = [];
    const said = document.querySelector(".cm-editor.cm-focused .cm-announced");
    new MutationObserver(() => heard.push(said.textContent)).observe(said, {childList: true});
}"""


class Writing:
    """A learner at the keyboard, in a cell that was emptied."""

    def __init__(self, page: Page, lang: str = "en") -> None:
        self.page, self.lang, self.lesson = page, lang, LessonPage(page)
        self.cell, self.editor = self.lesson.cell(), self.lesson.editor()
        self.options = self.cell.get_by_role("option")
        self.list = self.cell.get_by_role("listbox", name=LIST[lang])
        self.signature = self.cell.locator(".cm-signature")
        self.card = self.cell.locator(".cm-card")
        self.reach()
        self.press("Control+a", "Delete")

    def reach(self) -> None:
        """Focus the editor, and wait until it says that it completes."""
        self.editor.focus()
        expect(self.editor).to_have_attribute("aria-autocomplete", "list")

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def start_with(self, text: str) -> None:
        """Insert text all at once, which opens no list, and go to its end."""
        self.page.keyboard.insert_text(text)
        self.press("Control+End")

    def open_list(self, text: str) -> None:
        """Type, and wait until the list is open and takes keys: for DEAF_MS it lets Enter pass, which may be meant for a new line."""
        self.type(text)
        expect(self.list).to_be_visible()
        self.page.evaluate("milliseconds => new Promise(done => setTimeout(done, milliseconds))", DEAF_MS)

    @property
    def text(self) -> str:
        return self.lesson.text()

    @property
    def chosen(self) -> Locator:
        """The option that is selected, as the editor tells a screen reader."""
        expect(self.editor).to_have_attribute("aria-activedescendant", re.compile("."))
        return self.cell.locator(f'[id="{self.editor.get_attribute("aria-activedescendant")}"]')


@pytest.fixture(params=["en", "zh-Hans"])
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def writing(stage: tuple[str, StagedRunner], first_visit: Callable[..., Page], lang: str) -> Writing:
    return Writing(first_visit(stage[0], SINH_BAD.replace("en", lang, 1)), lang)


@pytest.fixture
def english(staged: tuple[LessonPage, StagedRunner]) -> Writing:
    return Writing(staged[0].page)


def test_a_name_is_completed_by_the_keyboard(writing: Writing) -> None:
    writing.start_with("import torch\n")
    writing.open_list("y = torch.sin")
    expect(writing.options.first).to_have_text("sin")
    writing.press("ArrowDown")
    expect(writing.chosen).to_have_text("sinc")
    writing.press("ArrowDown")
    expect(writing.chosen).to_have_text("sinh")
    expect(writing.cell.locator(".cm-completionInfo")).to_contain_text("hyperbolic sine")
    # the list has no tab stop of its own: the arrow keys walk through it while the editor keeps the keyboard
    found = violations(writing.page, within='[data-cell="sinh-bad"]')
    assert [one for one in found if not one.startswith("scrollable-region-focusable: ['#cm-ac-")] == []
    writing.press("Enter")
    expect(writing.list).to_have_count(0)
    assert writing.text == "import torch\ny = torch.sinh"


def test_the_documentation_is_told_and_its_link_reached_by_a_key(writing: Writing) -> None:
    writing.start_with("import torch as t\nt.sinh")
    writing.page.evaluate(LISTEN)
    writing.press("Control+i")
    expect(writing.card).to_contain_text("torch.sinh(input, *, out=None) -> Tensor")
    assert "torch.sinh(input, *, out=None) -> Tensor. Returns a new tensor" in writing.page.evaluate("heard.join()")
    assert violations(writing.page, within='[data-cell="sinh-bad"]') == []
    writing.press("Control+i")
    link = writing.card.get_by_role("link", name=LINK[writing.lang])
    expect(link).to_be_focused()
    assert [link.get_attribute(name) for name in ("href", "target", "rel")] == [SINH, "_blank", "noopener"]
    writing.press("Escape")
    expect(writing.editor).to_be_focused()
    expect(writing.card).to_have_count(0)


def test_a_signature_marks_the_current_argument(writing: Writing) -> None:
    writing.start_with("from torch.autograd import gradcheck as check\n")
    writing.type("check(")
    expect(writing.signature).to_contain_text("gradcheck(func, inputs, *, eps=1e-06")
    expect(writing.signature.locator("mark")).to_have_text("func")
    writing.type("f, (x, y), ")
    expect(writing.signature.locator("mark")).to_have_count(0)
    writing.type("atol=")
    expect(writing.signature.locator("mark")).to_have_text("atol=1e-05")
    writing.press("Escape")
    expect(writing.signature).to_have_count(0)


def test_escape_closes_the_list_first_and_then_gives_tab_back(english: Writing) -> None:
    english.open_list("import torch\ntorch.")
    english.press("Escape")
    expect(english.list).to_have_count(0)
    expect(english.editor).to_be_focused()
    before = english.text
    english.press("Escape", "Tab")
    expect(english.editor).not_to_be_focused()
    assert english.text == before


def test_tab_indents_and_accepts_nothing(english: Writing) -> None:
    english.open_list("import torch\ntorch.")
    english.press("Tab")
    assert english.text == "import torch\ntorch.  "
    expect(english.list).to_have_count(0)


def test_enter_begins_a_new_line_where_the_name_is_typed_already(english: Writing) -> None:
    english.start_with("value = 1\n")
    english.open_list("value")
    expect(english.options.first).to_have_text("value")
    english.press("Enter")
    expect(english.list).to_have_count(0)
    assert english.text == "value = 1\nvalue\n"


def test_a_context_and_the_functions_of_the_text_are_known(english: Writing) -> None:
    english.start_with("import torch\nclass Cube(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        ")
    english.type("ctx.")
    expect(english.options.filter(has_text="save_for_backward")).to_be_visible()
    expect(english.options.filter(has_text="needs_input_grad")).to_be_visible()
    expect(english.options.filter(has_text="sinh")).to_have_count(0)
    english.type("sav")
    expect(english.options.first).to_contain_text("save")
    english.press("Escape", "Enter", "Enter")
    english.press("Shift+Tab", "Shift+Tab")
    english.type("Cube.")
    expect(english.options.filter(has_text="apply")).to_be_visible()


def test_what_may_be_a_tensor_is_completed_only_when_asked_for(english: Writing) -> None:
    english.start_with("x = unknown()\n")
    english.type("x.requ")
    expect(english.editor).to_contain_text("x.requ")
    expect(english.list).to_have_count(0)
    english.press("Control+Space")
    expect(english.options.first).to_have_text("requires_grad")
    english.press("Escape", "Alt+/")
    expect(english.options.first).to_have_text("requires_grad")


def test_a_key_that_asks_while_the_reference_is_on_its_way_is_not_lost(
    stage: tuple[str, StagedRunner], empty_page: Callable[..., Page]
) -> None:
    page = empty_page(stage[0])
    held: list[Route] = []
    page.route("**/reference-*.json", lambda route: held.append(route))
    page.goto(f"{stage[0]}/en/backward-twice/sinh-bad")
    writing = Writing(page)
    with page.expect_request("**/reference-*.json"):
        writing.type("x.requ")
    writing.press("Control+Space")
    held[0].continue_()
    expect(writing.options.first).to_have_text("requires_grad")


def test_the_list_closes_when_the_cell_runs(english: Writing) -> None:
    english.open_list("import torch\ntorch.")
    english.press("Shift+Enter")
    expect(english.list).to_have_count(0)
    english.lesson.says("Finished")


def test_the_pointer_shows_what_a_name_is(english: Writing) -> None:
    english.start_with("import torch\ntorch.sinh")
    english.editor.locator(".cm-line").nth(1).hover(position={"x": 70, "y": 8})
    about = english.cell.locator(".cm-tooltip-hover")
    expect(about).to_contain_text("torch.sinh(input, *, out=None)")
    expect(about.get_by_role("link")).to_have_attribute("href", SINH)
    english.press("Escape")
    expect(about).to_have_count(0)


def test_nothing_of_it_is_loaded_before_it_is_used(stage: tuple[str, StagedRunner], empty_page: Callable[..., Page]) -> None:
    page = empty_page(stage[0])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{stage[0]}/en/backward-twice/sinh-bad", wait_until="networkidle")
    assert not [url for url in asked if "reference" in url]
    writing = Writing(page)
    assert not [url for url in asked if "reference" in url]
    writing.type("pri")
    expect(writing.options.first).to_have_text("print")
    assert len([url for url in asked if "reference" in url]) == 1


def test_without_the_reference_python_is_still_completed(stage: tuple[str, StagedRunner], empty_page: Callable[..., Page]) -> None:
    page = empty_page(stage[0])
    warnings: list[str] = []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    page.route("**/reference-*.json", lambda route: route.abort())
    page.goto(f"{stage[0]}/en/backward-twice/sinh-bad")
    writing = Writing(page)
    writing.type("import torch\nprin")
    expect(writing.options.first).to_have_text("print")
    assert [text for text in warnings if "completion knows only Python" in text]
