"""Headings, labels and buttons of a Chinese page are Chinese. What is a name, or what a library says in English, is marked as such."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.playground_page import PlaygroundPage
from tests.browser.records import fault, figure, gradcheck, unknown
from tests.browser.staged_runner import StagedRunner, show
from tests.own_course import load_own_course

# Names stay as they are: of frameworks, formats, classes and functions, and of what the examples define.
NAMES = {
    *("Gradroom", "English", "Python", "PyTorch", "TensorFlow", "JAX", "GPU", "SVG", "PNG", "DOT", "CSV"),
    *("backward", "jvp", "grad_fn", "Square", "Sinh", "SinhBad", "custom_gradient", "custom_vjp"),
}
FILE_NAME = re.compile(r"\w+\.py")
TELLING = (
    "h1, h2, h3, h4, legend, summary, button, label, option, th, dt, caption, figcaption, "
    ".task-kicker, .what, .words, .panel-meaning, .program-note"
)
ENGLISH = """telling => {
    const found = [document.title];
    for (const element of document.querySelectorAll(telling)) {
        if (element.closest("code, pre, [lang=en]")) continue;
        const copy = element.cloneNode(true);
        for (const part of copy.querySelectorAll("code, kbd, pre, math, [lang=en]")) part.remove();
        const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT), words = [];
        while (texts.nextNode()) words.push(texts.currentNode.data.trim());
        found.push(words.join(" ").trim());
    }
    for (const element of document.querySelectorAll("[aria-label], [title], [alt], [placeholder]"))
        if (!element.closest("[lang=en]"))
            for (const name of ["aria-label", "title", "alt", "placeholder"]) found.push(element.getAttribute(name)?.trim() ?? "");
    return [...new Set(found)].filter(text => /[A-Za-z]{2}/.test(text) && !/[\\u3400-\\u9fff]/.test(text));
}"""


def english_in(page: Page, names: set[str] = NAMES) -> list[str]:
    """Return the English words of a page that should be Chinese."""
    return [
        words
        for words in page.evaluate(ENGLISH, TELLING)
        if words not in names and not set(words.split()) <= names and not FILE_NAME.fullmatch(words)
    ]


PAGES = [
    "",
    "backward-twice",
    "backward-twice/sinh-bad",
    "other-frameworks/relu",
    "mine",
    "what-works",
    "pitfalls",
    "pitfalls/intermediate-saved",
    "playground",
    "nothing",
]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_english_headings_and_labels(open_page: OpenPage, path: str) -> None:
    page = open_page(f"/zh-Hans/{path}")
    expect(page.locator("html[data-scripted]")).to_be_attached()
    assert english_in(page) == []


def test_the_glossary_has_english_names_only_for_what_has_no_other(open_page: OpenPage) -> None:
    names = {term.name["en"] for term in load_own_course().terms.values() if term.name["en"] == term.name["zh-Hans"]}
    assert english_in(open_page("/zh-Hans/glossary"), NAMES | names) == []


def test_an_exception_has_a_chinese_heading(open_page: OpenPage) -> None:
    bench = PlaygroundPage(open_page("/zh-Hans/playground"))
    for program, ending, error in (
        ("raise ValueError('no such shape')", "抛出 ValueError · 第 1 行", "报错信息：no such shape"),
        ("raise ValueError('形状不对')", "抛出 ValueError · 第 1 行", "报错信息：形状不对"),
        ("raise ValueError", "抛出 ValueError · 第 1 行", "抛出了 ValueError，没有附带信息"),
        ("1 +", "抛出 SyntaxError · 第 1 行", "报错信息：invalid syntax"),
    ):
        bench.write(program)
        bench.run()
        expect(bench.status().locator(".words")).to_have_text(ending)
        expect(bench.status().locator("code[lang=en]")).to_have_text(ending.split()[1])
        heading = bench.results().locator(".what")
        expect(heading).to_have_text(error)
        expect(heading.locator("[lang=en]")).to_have_count(0 if "形状" in program else 1)
        assert english_in(bench.page) == []


def test_what_gradcheck_says_in_english_stands_under_a_chinese_heading(open_page: OpenPage) -> None:
    bench = PlaygroundPage(open_page("/zh-Hans/playground"))
    bench.write("import torch\ntorch.autograd.gradcheck(torch.sin, torch.ones(2))")
    bench.run()
    expect(bench.results().locator("jacobian-view").get_by_role("heading")).to_have_text("gradcheck 未通过")
    assert english_in(bench.page) == []


def test_what_records_show_has_chinese_headings_or_is_code(stage: tuple[str, StagedRunner], first_visit: Callable[..., Page]) -> None:
    address, runner = stage
    value = {"kind": "value", "text": "[1, 2]", "title": "sorted(x)", "shape": None, "dtype": None, "requires_grad": None, "grad_fn": None}
    runner.plays = [show(unknown(), fault(), gradcheck([[1.0]], [[2.0]]), figure(title="fig"), value)]
    bench = PlaygroundPage(first_visit(address, "/zh-Hans/playground"))
    bench.run()
    headings = bench.results().get_by_role("heading", level=3)
    expect(headings).to_have_text(["记录：spectrum", "没能显示：计算图", "gradcheck：输出 0 对 x 的导数", "fig", "sorted(x)"])
    assert english_in(bench.page) == []


def test_an_examples_name_is_a_name(open_page: OpenPage) -> None:
    bench = PlaygroundPage(open_page("/zh-Hans/playground"))
    assert set(bench.page.locator("#examples button").all_inner_texts()) <= NAMES


def test_that_a_selection_was_deleted_is_said_in_chinese(open_page: OpenPage) -> None:
    bench = PlaygroundPage(open_page("/zh-Hans/playground"))
    bench.editor().click()
    bench.page.keyboard.press("Control+a")
    bench.page.keyboard.press("Delete")
    expect(bench.page.locator(".cm-announced")).to_have_text("已删除选中的内容")
