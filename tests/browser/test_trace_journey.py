"""From the result of a real run to the missing path, the steps and the saved tensors, each one click away; for everyone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import Theme, violations
from tests.browser.conftest import OpenPage, resize
from tests.browser.lesson_page import LessonPage

CELL = "sinh-bad-graph"
WORDS = {  # the views, the missing path, a step, a saved tensor, the slider
    "en": ("Graph", "Steps", "Saved", "Missing paths:", "SinhBad receives [1, 1, 1]", "intermediate", "Step of the backward pass"),
    "zh-Hans": ("计算图", "步骤", "已保存", "缺少的路径", "SinhBad 收到 [1, 1, 1]", "中间结果", "反向传播的步骤"),
}
LOOKS: list[tuple[str, list[tuple[Theme, int]]]] = [
    ("en", [("light", 1440), ("dark", 390)]),
    ("zh-Hans", [("light", 390), ("dark", 1440)]),
]


def looks_right(page: Page, looks: list[tuple[Theme, int]], within: str = "") -> None:
    """Assert in each look that axe finds nothing in the page or in `within`, and that no view needs scrolling sideways to be chosen."""
    for theme, width in looks:
        page.emulate_media(color_scheme=theme)
        resize(page, width)
        assert violations(page, within=within) == [], (theme, width)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        for button in page.locator("graph-view .graph-views button").all():
            box = button.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width


@pytest.mark.parametrize(("lang", "looks"), LOOKS)
def test_each_view_of_a_real_run_is_one_click_away_and_for_everyone(open_page: OpenPage, lang: str, looks: list[tuple[Theme, int]]) -> None:
    graph, steps, saved, missing, sentence, role, slider = WORDS[lang]
    page = open_page(f"/{lang}/backward-twice/sinh-bad", width=looks[0][1])
    lesson = LessonPage(page)
    lesson.run(CELL)
    view = lesson.results(CELL).locator("graph-view").first
    expect(view.locator(".missing-path").first).to_contain_text(missing)  # by itself
    expect(view.locator(".graph .edge.missing")).to_have_count(1)
    looks_right(page, looks, within=f'[data-cell="{CELL}"]')
    view.get_by_role("button", name=steps, exact=True).click()
    view.get_by_role("slider", name=slider).press("ArrowRight")
    expect(view.locator(".pass-words")).to_contain_text(sentence)
    looks_right(page, looks[::-1], within="graph-view")
    view.get_by_role("button", name=saved, exact=True).click()
    expect(view.locator(".saved-tensors tbody tr")).to_have_count(2)
    expect(view.locator(".saved-tensors tbody")).to_contain_text(role)
    looks_right(page, looks, within="graph-view")
    view.get_by_role("button", name=graph, exact=True).click()
    expect(view.locator(".graph .edge.missing")).to_have_count(1)


def test_what_was_traced_is_gone_when_the_cell_is_changed_and_run_again(open_page: OpenPage) -> None:
    lesson = LessonPage(open_page())
    lesson.run(CELL)
    view = lesson.results(CELL).locator("graph-view").first
    expect(view.locator(".graph .edge.missing")).to_have_count(1)
    view.get_by_role("button", name="Steps").click()
    expect(view.locator(".count")).to_have_text("Step 1 of 3")
    lesson.run(CELL, "import torch, torchviz\nx = torch.tensor(2.0, requires_grad=True)\ny = x * 3\ntorchviz.make_dot(y)\ny.backward()")
    expect(view.locator(".pass-words")).to_have_text("Mul receives 1 and sends 3 to a leaf.")
    expect(view.locator(".graph .edge.missing")).to_have_count(0)
    view.get_by_role("button", name="Saved").click()
    expect(view).to_contain_text("No custom Function was called")


def test_the_steps_are_said_in_order(open_page: OpenPage) -> None:
    """The part of the accessibility tree below the picture."""
    lesson = LessonPage(open_page())
    lesson.run(CELL)
    view = lesson.results(CELL).locator("graph-view").first
    view.get_by_role("button", name="Steps").click()
    view.get_by_role("slider").press("ArrowRight")
    expect(view.locator("steps-view")).to_match_aria_snapshot("""
        - combobox "Backward pass":
          - option "grad() in line 5 (1 of 2)" [selected]
          - option "grad() in line 11 (2 of 2)"
        - button "Step back"
        - slider "Step of the backward pass": "2"
        - button "Step forward"
        - button "Play"
        - text: Step 2 of 3
        - paragraph:
          - text: "SinhBad receives [1, 1, 1] and sends [1.13, 1.54, 3.76] to x."
          - button "line 13 of cell 1"
        - figure "received (3,)":
          - table "received"
        - figure "to x (3,)":
          - table "to x"
    """)
