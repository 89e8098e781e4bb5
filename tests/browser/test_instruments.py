"""The controls of graphs, tables and figures: the graph zooms, fits and has a text; tables switch; everything can be downloaded."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.browser.conftest import SINH_BAD
from tests.browser.graph_menu import choose
from tests.browser.lesson_page import LessonPage
from tests.patience import wait_for

pytestmark = pytest.mark.same_page


def place(lesson: LessonPage) -> FloatRect:
    """Return the place of the isolated node on the screen."""
    box = lesson.results("sinh-bad-graph").locator(".stage-area svg .node.isolated").bounding_box()
    assert box
    return box


def drag(lesson: LessonPage, *way: tuple[float, float], release: bool = True) -> None:
    """Move the pressed pointer along these points, which are relative to the middle of the stage."""
    box = lesson.results("sinh-bad-graph").locator(".stage-area").bounding_box()
    assert box
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    lesson.page.mouse.move(*middle)
    lesson.page.mouse.down()
    for x, y in way:
        lesson.page.mouse.move(middle[0] + x, middle[1] + y)
    if release:
        lesson.page.mouse.up()


def test_the_graph_zooms_moves_and_fits_by_buttons_and_keys(lesson: LessonPage) -> None:
    lesson.run("sinh-bad-graph")
    results = lesson.results("sinh-bad-graph")
    results.locator(".stage-area").press("0")
    whole = place(lesson)
    results.get_by_role("button", name="Zoom in").click()
    zoomed = place(lesson)
    assert zoomed["width"] > whole["width"] * 1.25
    results.locator(".stage-area").focus()
    lesson.page.keyboard.press("ArrowRight")
    assert place(lesson)["x"] < zoomed["x"]
    lesson.page.keyboard.press("0")
    assert place(lesson) == whole


def test_a_graph_seen_closer_follows_the_pointer_and_lets_go_of_it_outside(lesson: LessonPage) -> None:
    lesson.run("sinh-bad-graph")
    lesson.results("sinh-bad-graph").locator(".stage-area").press("0")
    drag(lesson, (0, 20))
    before = place(lesson)
    drag(lesson, (0, 20))
    assert place(lesson) == before  # whole, there is nothing to move
    for _ in range(3):
        lesson.results("sinh-bad-graph").get_by_role("button", name="Zoom in").click()
    closer = place(lesson)
    drag(lesson, (30, 0))
    assert abs(place(lesson)["x"] - closer["x"] - 30) < 1
    drag(lesson, (0, 10), (0, -500), release=False)
    lesson.page.mouse.up()
    left = place(lesson)
    stage = lesson.results("sinh-bad-graph").locator(".stage-area").bounding_box()
    assert stage
    lesson.page.mouse.move(stage["x"] + 40, stage["y"] + 40)
    lesson.page.mouse.move(stage["x"] + 90, stage["y"] + 90)
    assert place(lesson) == left


def test_a_drag_is_no_click_on_a_node(lesson: LessonPage) -> None:
    lesson.run("sinh-bad-graph")
    results = lesson.results("sinh-bad-graph")
    results.get_by_role("button", name="Zoom in").click()
    custom = results.locator("svg .node.kind-custom-function")
    custom.evaluate("node => node.closest('graph-view').record.nodes.find(({id}) => id === node.dataset.node).line = 1")
    node = custom.bounding_box()
    assert node
    middle = (node["x"] + node["width"] / 2, node["y"] + node["height"] / 2)
    lesson.page.mouse.move(*middle)
    lesson.page.mouse.down()
    lesson.page.mouse.move(middle[0] + 12, middle[1], steps=3)
    lesson.page.mouse.up()
    lesson.page.evaluate("new Promise((done) => setTimeout(done))")  # until then d3-drag swallows the click that ends a drag
    assert not lesson.page.evaluate("document.activeElement.matches('.cm-content')")
    lesson.page.mouse.click(middle[0] + 12, middle[1])
    lesson.page.wait_for_function("() => document.activeElement.matches('.cm-content')")


def test_the_wheel_scrolls_the_page_and_with_control_it_zooms_about_the_pointer(lesson: LessonPage) -> None:
    lesson.run("sinh-bad-graph")
    before = place(lesson)
    lesson.page.mouse.move(before["x"] + 5, before["y"] + 5)
    lesson.page.mouse.wheel(0, -20)
    assert place(lesson)["width"] == before["width"]
    lesson.page.keyboard.down("Control")
    lesson.page.mouse.wheel(0, -40)
    lesson.page.keyboard.up("Control")
    wait_for(lambda: place(lesson)["width"] > before["width"] * 1.4)
    assert abs(place(lesson)["x"] - before["x"]) < 6


def test_two_fingers_pinch_the_graph(site: str, first_visit: Callable[..., Page]) -> None:
    page = first_visit(site, SINH_BAD, has_touch=True)
    lesson = LessonPage(page)
    lesson.run("sinh-bad-graph")
    expect(lesson.results("sinh-bad-graph").locator('[data-node="n0-up"]')).to_be_visible()  # the picture of the second run
    before = place(lesson)
    stage = lesson.results("sinh-bad-graph").locator(".stage-area").bounding_box()
    assert stage
    x, y = stage["x"] + stage["width"] / 2, stage["y"] + stage["height"] / 2
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *apart: float) -> None:
        points = [{"x": x + side * half, "y": y, "id": number} for half in apart for number, side in enumerate((-1, 1))]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 20)
    fingers("touchMove", 30)
    fingers("touchMove", 40)
    fingers("touchEnd")
    assert abs(place(lesson)["width"] / before["width"] - 2) < 0.1


def test_the_graph_fills_the_screen_and_comes_back(lesson: LessonPage) -> None:
    lesson.run("sinh-bad-graph")
    results = lesson.results("sinh-bad-graph")
    results.get_by_role("button", name="Full screen", exact=True).click()
    expect(results.get_by_role("button", name="Leave full screen")).to_be_visible()
    results.get_by_role("button", name="Leave full screen").click()
    expect(results.get_by_role("button", name="Full screen", exact=True)).to_be_visible()


def test_the_list_has_the_nodes_of_the_picture_and_points_at_them(lesson: LessonPage) -> None:
    lesson.run("sinh-bad-graph")
    results = lesson.results("sinh-bad-graph")
    choose(results, "As a list")
    lesson.page.mouse.move(0, 0)  # off the row that has come under it
    rows = results.locator(".twin-list tbody tr")
    expect(rows).to_have_count(results.locator("svg .node").count())
    expect(rows.filter(has_text="grad_x")).to_contain_text("output, isolated")
    results.locator(".twin-list").get_by_role("button", name="AccumulateGrad", exact=True).focus()
    expect(results.locator("svg .node.picked")).to_have_count(3)


def test_graphs_on_one_page_have_ids_of_their_own(lesson: LessonPage) -> None:
    lesson.run(
        source="import torch, torchviz\nx = torch.ones(1, requires_grad=True)\n"
        "for _ in range(2):\n    torchviz.make_dot(x * 2, params={'x': x})"
    )
    expect(lesson.results().locator("svg.graph")).to_have_count(2)
    ids = lesson.page.eval_on_selector_all("[id]", "elements => elements.map(element => element.id)")
    assert len(ids) == len(set(ids))


def test_the_pairs_of_a_check_can_be_switched(lesson: LessonPage) -> None:
    lesson.run()
    panel = lesson.results().locator("jacobian-view").nth(1)
    pairs = panel.locator(".jacobian-pairs button")
    expect(pairs.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(panel.locator("td.worst")).to_contain_text("worst")
    pairs.nth(1).click()
    expect(panel).to_contain_text("The two agree.")
    expect(panel.locator("td.worst")).to_have_count(0)


def test_a_jacobian_is_taken_away_as_csv(lesson: LessonPage, tmp_path: Path) -> None:
    lesson.run()
    with lesson.page.expect_download() as download:
        lesson.results().get_by_role("button", name="Download CSV").last.click()
    download.value.save_as(tmp_path / "jacobian.csv")
    rows = list(csv.DictReader((tmp_path / "jacobian.csv").open(newline="")))
    assert len(rows) == 9
    assert {float(row["analytical"]) for row in rows} == {0.0}
    assert float(rows[0]["numerical"]) == float(rows[0]["difference"]) != 0


def test_a_graph_is_taken_away_with_its_colours(lesson: LessonPage, tmp_path: Path) -> None:
    lesson.run("sinh-bad-graph")
    with lesson.page.expect_download() as download:
        choose(lesson.results("sinh-bad-graph"), "Download SVG")
    download.value.save_as(tmp_path / "graph.svg")
    text = (tmp_path / "graph.svg").read_text()
    ElementTree.fromstring(text)
    assert "#e4f3e9" in text or "rgb(228, 243, 233)" in text
    assert "var(" not in text
    with lesson.page.expect_download() as download:
        choose(lesson.results("sinh-bad-graph"), "Download DOT")
    download.value.save_as(tmp_path / "graph.dot")
    assert (tmp_path / "graph.dot").read_text().startswith("digraph")


def test_code_is_copied(lesson: LessonPage) -> None:
    lesson.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lesson.button("Copy the code").click()
    wait_for(lambda: lesson.page.evaluate("navigator.clipboard.readText()").startswith("from torch.autograd import gradcheck"))


def test_a_trailing_expression_is_shown_with_what_there_is_to_know(lesson: LessonPage) -> None:
    lesson.run(source="import torch\nx = torch.ones(2, 3, requires_grad=True)\nx * 2")
    value = lesson.results().get_by_role("article", name="Value")
    expect(value.locator("pre")).to_contain_text("tensor([[2., 2., 2.]")
    expect(value.locator(".fact-list")).to_have_text(re.compile(r"\(2, 3\).*torch.float32.*True.*MulBackward0", re.DOTALL))


def test_a_large_jacobian_is_drawn_and_told_as_a_small_one(lesson: LessonPage) -> None:
    lesson.run(
        source="import torch\nclass Twice(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return 2 * x\n"
        "    @staticmethod\n    def backward(ctx, g):\n        return 3 * g\n"
        "torch.autograd.gradcheck(Twice.apply, torch.randn(8, 16, dtype=torch.double, requires_grad=True), raise_exception=False)"
    )
    panel = lesson.results().locator("jacobian-view")
    expect(panel).to_contain_text("Backward is 1.5 times the numerical Jacobian everywhere. Worst is output 0[")
    expect(panel.locator(".heat-table")).to_have_count(6)
    expect(panel.locator(".heat-table.difference").first.locator("tr")).to_have_count(32)


def draw_a_chain(lesson: LessonPage, steps: int) -> None:
    lesson.run(
        source="import torch\nfrom torchviz import make_dot\nx = torch.ones(1, requires_grad=True)\ny = x\n"
        f"for _ in range({steps}):\n    y = y * x\nmake_dot(y, params={{'x': x, 'y': y}});"
    )


def test_a_wide_jacobian_has_cells_to_be_seen(lesson: LessonPage) -> None:
    lesson.run(
        source="import torch\nfor size in (10, 60):\n"
        "    torch.autograd.gradcheck(lambda x: x.sin() * 3, torch.randn(size, dtype=torch.double, requires_grad=True))"
    )
    for index in range(2):
        cell = lesson.results().locator("jacobian-view").nth(index).locator("td").first.bounding_box()
        assert cell and min(cell["width"], cell["height"]) >= 2


def test_a_long_jacobian_scrolls_in_its_panel(lesson: LessonPage) -> None:
    lesson.run(source="import torch\ntorch.autograd.gradcheck(torch.sum, torch.randn(300, dtype=torch.double, requires_grad=True))")
    panel = lesson.results().locator("jacobian-view").bounding_box()
    assert panel and panel["height"] < 900
    expect(lesson.results().get_by_role("group", name="Jacobians")).to_have_attribute("tabindex", "0")


def test_a_narrow_graph_leaves_its_stage_as_it_is_when_zoomed_and_uses_the_screen_when_full(lesson: LessonPage) -> None:
    draw_a_chain(lesson, 3)
    results = lesson.results()
    stage, svg = results.locator(".stage-area"), results.locator(".stage-area svg.graph")

    def width_and_height(part: Locator) -> tuple[float, float]:
        box = part.bounding_box()
        assert box
        return box["width"], box["height"]

    before = width_and_height(stage)
    drawn = width_and_height(svg)
    assert drawn[0] < before[0] * 0.8
    assert drawn[1] <= before[1]
    results.get_by_role("button", name="Zoom in").click()
    assert width_and_height(svg)[0] > drawn[0] * 1.25
    assert width_and_height(stage) == before
    stage.press("0")
    results.get_by_role("button", name="Full screen", exact=True).click()
    expect(results.get_by_role("button", name="Leave full screen")).to_be_visible()
    wait_for(lambda: lesson.page.evaluate("document.querySelector('.stage-area').getBoundingClientRect().height > innerHeight * 0.75"))


def test_a_long_list_of_nodes_is_shown_in_parts(lesson: LessonPage) -> None:
    draw_a_chain(lesson, 300)
    results = lesson.results()
    if results.locator("graph-view").count():
        choose(results, "As a list")
    rows = results.locator(".twin-list tbody tr")
    expect(rows).to_have_count(100)
    results.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(200)
    expect(rows.nth(100).get_by_role("button")).to_be_focused()
