"""Large graphs: folded, readable, searched, walked through with the keyboard; and what is said when there is no picture of the whole."""

import threading
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from app.protocol.limits import Limits
from app.protocol.records.graph import GraphEdge, GraphNode, GraphRecord
from tests.browser.graph_menu import choose
from tests.browser.graph_records import chain, drawn, recurrent, sinh
from tests.browser.lesson_page import LessonPage
from tests.browser.staged_runner import StagedRunner, show
from tests.patience import wait_for

pytestmark = pytest.mark.same_page

SMALLEST_PIXELS = 11  # of text at the size at which a picture opens

Staged = tuple[LessonPage, StagedRunner]


@pytest.fixture(scope="module")
def sines() -> dict[str, Any]:
    return drawn(chain(500, line=3))


@pytest.fixture(scope="module")
def steps() -> dict[str, Any]:
    return drawn(recurrent(650))


def shown(staged: Staged, record: dict[str, Any]) -> Locator:
    lesson, runner = staged
    runner.plays = [show(record)]
    lesson.editor().press("Shift+Enter")
    view = lesson.results().locator("graph-view")
    expect(view.locator("header .end")).to_contain_text(f"{len(record['nodes'])} nodes")
    return view


def font_pixels(part: Locator) -> float:
    """Return the font size of a line of text as it appears on the screen."""
    scale = "text => text.ownerSVGElement.getBoundingClientRect().width / text.ownerSVGElement.viewBox.baseVal.width"
    return float(part.evaluate(f"text => parseFloat(getComputedStyle(text).fontSize) * ({scale})(text)"))


def is_in(part: Locator, stage: Locator) -> bool:
    """Return whether the whole part is inside the stage."""
    box, frame = part.bounding_box(), stage.bounding_box()
    assert box and frame
    inside = frame["x"] <= box["x"] and box["x"] + box["width"] <= frame["x"] + frame["width"]
    return inside and frame["y"] <= box["y"] and box["y"] + box["height"] <= frame["y"] + frame["height"]


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.className"))


def test_a_long_chain_opens_as_one_fold_that_unfolds_and_folds_again(staged: Staged, sines: dict[str, Any]) -> None:
    view = shown(staged, sines)
    expect(view.get_by_role("button", name="Folded", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(view.locator(".stage-area .node")).to_have_count(4)
    fold = view.locator(".stage-area .node.fold")
    expect(fold).to_contain_text("SinBackward0 × 500")
    fold.click()
    expect(view.get_by_role("button", name="All 503 nodes")).to_have_attribute("aria-pressed", "true")
    expect(view.locator(".stage-area .node.match").nth(3)).to_be_attached()  # what was in the fold
    view.get_by_role("button", name="Folded", exact=True).click()
    expect(view.locator(".stage-area .node")).to_have_count(4)


def test_a_graph_of_fourteen_nodes_opens_whole_where_there_is_room(staged: Staged) -> None:
    staged[0].page.set_viewport_size({"width": 1440, "height": 900})
    view = shown(staged, drawn(sinh()))
    assert view.locator(".stage-area .node").count() == 14
    assert is_in(view.locator(".stage-area svg.graph"), view.locator(".stage-area"))
    for line in view.locator(".stage-area .node .name").all():
        assert font_pixels(line) >= SMALLEST_PIXELS
    foot = view.locator("article").bounding_box()
    assert foot and foot["y"] + foot["height"] <= 900


@pytest.mark.parametrize("height", [900, 500])
@pytest.mark.parametrize("width", [1440, 360])
def test_what_was_asked_for_is_in_sight_when_a_picture_opens(staged: Staged, sines: dict[str, Any], width: int, height: int) -> None:
    staged[0].page.set_viewport_size({"width": width, "height": height})
    view = shown(staged, drawn(sinh()))
    assert is_in(view.locator('.stage-area [data-node="n0"]'), view.locator(".stage-area"))
    view = shown(staged, sines)
    view.get_by_role("button", name="All 503 nodes").click()
    expect(view.locator('.stage-area [data-node="n0"]')).to_be_visible()
    assert is_in(view.locator('.stage-area [data-node="n0"]'), view.locator(".stage-area"))


def test_a_picture_says_which_way_gradients_flow_until_a_node_is_selected(staged: Staged) -> None:
    view = shown(staged, drawn(chain(3)))
    caption = view.get_by_text("Arrows as torchviz draws them; gradients travel against them.")
    expect(caption).to_be_visible()
    view.locator('.stage-area [data-node="n1"]').click()
    expect(caption).to_have_count(0)
    expect(view.locator(".graph-details [role=status]")).to_have_text(
        "SinBackward0: function, n1. Receives gradients from y. Sends gradients to SinBackward0."
    )
    choose(view, "As a list")
    expect(view.locator(".twin-list thead th").last).to_have_text("Sends gradients to")
    expect(view.locator(".twin-list tbody tr").first).to_contain_text("y")
    expect(view.locator(".twin-list tbody tr").last).to_contain_text("x")


def test_a_press_on_how_a_run_ended_leads_to_its_graph_and_unfolds_nothing(staged: Staged) -> None:
    view = shown(staged, drawn(chain(3)))
    staged[0].status().click()
    expect(view.get_by_role("heading", name="Backward graph")).to_be_focused()
    expect(view.locator("details[open]")).to_have_count(0)


def test_the_legend_explains_only_what_the_graph_has(staged: Staged) -> None:
    view = shown(staged, drawn(chain(3)))
    view.get_by_text("What the colours mean").click()
    assert view.locator(".graph-legend dt:visible").all_text_contents() == ["leaf", "output", "function", "AccumulateGrad"]
    view = shown(staged, drawn(sinh()))
    assert view.locator(".graph-legend dt:visible").all_text_contents() == [
        "leaf", "output", "function", "custom function", "AccumulateGrad", "saved",
    ]  # fmt: skip


@pytest.mark.parametrize("width", [1440, 360])
def test_every_picture_opens_at_a_size_that_can_be_read(staged: Staged, sines: dict[str, Any], steps: dict[str, Any], width: int) -> None:
    staged[0].page.set_viewport_size({"width": width, "height": 900})
    for record in (sines, steps):
        view = shown(staged, record)
        for button in view.locator(".graph-scenes button").all():
            button.click()
            expect(button).to_have_attribute("aria-pressed", "true")
            for line in view.locator(".stage-area .node tspan").all()[:8]:
                assert font_pixels(line) >= SMALLEST_PIXELS - 0.01


def test_a_fold_tells_what_is_in_it_and_opens_one_repetition(staged: Staged, steps: dict[str, Any]) -> None:
    view = shown(staged, steps)
    view.locator(".stage-area .node.fold").click()
    expect(view.get_by_role("button", name="One of 650")).to_have_attribute("aria-pressed", "true")
    expect(view.locator(".stage-area .node:not(.outside)")).to_have_count(3)
    details = view.locator(".graph-details")
    expect(details).to_contain_text("1950 nodes, n2 to n1951: MulBackward0, TanhBackward0, AddBackward0.")
    expect(details).to_contain_text("From line 3.")
    details.get_by_role("button", name="List its nodes").click()
    expect(view.locator(".twin-within")).to_contain_text("Only the nodes in 3 nodes × 650")
    expect(view.locator(".twin-list tbody tr").first.locator(".id")).to_have_text("n1951")  # where gradients come in
    details.get_by_role("button", name="Unfold in the whole graph").click()
    expect(view.get_by_role("button", name="All 1952 nodes")).to_have_attribute("aria-pressed", "true")
    expect(view.locator(".stage-area .node.selected")).to_have_attribute("data-node", "n2")


def test_the_whole_is_zoomed_from_all_of_it_to_more_than_its_actual_size(staged: Staged, steps: dict[str, Any]) -> None:
    view = shown(staged, steps)
    view.get_by_role("button", name="All 1952 nodes").click()
    stage, sheet = view.locator(".stage-area"), view.locator(".stage-area svg.graph")
    stage.focus()
    stage.press("0")
    assert is_in(sheet, stage)
    expect(view.locator(".stage-area .outline").first).to_be_attached()
    expect(view.locator(".stage-area .node")).to_have_count(0)
    stage.press("1")
    expect(view.locator(".scale")).to_have_text("100%")
    for _ in range(3):
        stage.press("+")
    expect(view.locator(".scale")).to_have_text("220%")
    assert font_pixels(view.locator(".stage-area .node .name").first) > 25


def test_a_very_large_picture_has_in_the_page_only_what_is_near(staged: Staged, steps: dict[str, Any]) -> None:
    view = shown(staged, steps)
    view.get_by_role("button", name="All 1952 nodes").click()
    expect(view.locator(".stage-area .node").first).to_be_visible()
    assert view.locator(".stage-area .node").count() < 400
    first = view.locator(".stage-area .node").first.get_attribute("data-node")
    stage = view.locator(".stage-area")
    stage.focus()
    for _ in range(30):
        stage.press("Shift+ArrowDown")
    expect(view.locator(".stage-area .node").nth(3)).to_be_attached()
    expect(view.locator(f'.stage-area [data-node="{first}"]')).to_have_count(0)


def test_the_overview_shows_where_one_is_and_goes_there(staged: Staged, steps: dict[str, Any], sines: dict[str, Any]) -> None:
    view = shown(staged, steps)
    view.get_by_role("button", name="All 1952 nodes").click()
    chart = view.locator("graph-map svg")
    seen = chart.locator(".seen")
    before = float(seen.get_attribute("y") or 0)
    box = chart.bounding_box()
    assert box
    staged[0].page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.9)
    wait_for(lambda: float(seen.get_attribute("y") or 0) > before + 1000)
    view = shown(staged, drawn(chain(3)))
    expect(view.locator(".stage-area .node")).to_have_count(6)
    expect(view.locator("graph-map")).to_have_count(0)  # of a picture that is seen whole


def test_nodes_are_found_by_name_kind_and_id_and_one_goes_from_match_to_match(staged: Staged, steps: dict[str, Any]) -> None:
    view = shown(staged, steps)
    field, count = view.get_by_role("searchbox"), view.locator(".graph-search .count")
    field.fill("tanh")
    expect(count).to_have_text("650 found")
    expect(view.locator(".stage-area .node.match")).to_have_count(1)  # the fold that they are in
    field.press("Enter")
    expect(count).to_have_text("1 of 650")
    expect(view.locator(".graph-details")).to_contain_text("3 nodes × 650")
    view.get_by_role("button", name="Previous match").click()
    expect(count).to_have_text("650 of 650")
    choose(view, "As a list")
    expect(view.locator(".twin-list tbody tr").first.locator("mark")).to_have_text("TanhBackward0")
    field.fill("leaf")
    expect(count).to_have_text("1 found")
    expect(view.locator(".twin-list tbody tr")).to_have_count(1)
    field.fill("n32")
    expect(count).to_have_text("1 found")
    view.get_by_role("button", name="All 1952 nodes").click()
    view.get_by_role("button", name="Next match").click()
    node = view.locator('.stage-area .node.selected.match[data-node="n32"]')
    assert is_in(node, view.locator(".stage-area"))
    field.fill("nosuchnode")
    expect(count).to_have_text("nothing found")


def test_a_graph_is_walked_through_with_the_keyboard_alone(staged: Staged, steps: dict[str, Any]) -> None:
    view = shown(staged, steps)
    page, told = staged[0].page, view.locator(".graph-details [role=status]")
    view.get_by_role("button", name="All 1952 nodes").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert "stage" in focused(page)
    page.keyboard.press("Enter")
    selected = view.locator(".stage-area .node.selected")
    expect(selected).to_have_count(1)
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    expect(selected).to_have_attribute("data-node", "n0")
    expect(told).to_have_text("w: leaf, (3, 3), n0. Receives gradients from AccumulateGrad.")
    page.keyboard.press("ArrowDown")
    expect(told).to_contain_text("AccumulateGrad: accumulates, n1. Receives gradients from")
    page.keyboard.press("ArrowDown")
    expect(told).to_contain_text("3 nodes × 650")
    page.keyboard.press("Enter")
    expect(view.get_by_role("button", name="One of 650")).to_have_attribute("aria-pressed", "true")
    assert "stage" in focused(page)
    page.keyboard.press("Enter")
    expect(selected).to_have_count(1)
    page.keyboard.press("Escape")
    expect(selected).to_have_count(0)


def test_what_is_selected_while_a_run_goes_on_stays_selected_when_it_ends(staged: Staged) -> None:
    lesson, runner = staged
    gate = threading.Event()
    runner.plays = [show(drawn(chain(3)), gate=gate)]
    lesson.editor().press("Shift+Enter")
    node = lesson.results().locator('.stage-area .node[data-node="n1"]')
    try:
        node.click()
        expect(node).to_contain_class("selected")
    finally:
        gate.set()
    lesson.says("Finished")
    expect(node).to_contain_class("selected")


def test_enter_on_a_node_goes_to_its_line(staged: Staged) -> None:
    view = shown(staged, drawn(chain(3, line=3)))
    stage = view.locator(".stage-area")
    stage.focus()
    stage.press("Enter")
    for _ in range(2):
        stage.press("ArrowUp")
    for _ in range(2):
        stage.press("ArrowDown")
    stage.press("Enter")
    expect(staged[0].editor()).to_be_focused()


def test_a_graph_that_is_not_drawn_whole_says_why_and_is_shown_folded(staged: Staged) -> None:
    view = shown(staged, drawn(chain(300), Limits(graph_nodes=100)))
    expect(view.locator(".panel-meaning")).to_have_text(
        "This graph has 303 nodes and 302 edges; only graphs of at most 100 nodes are drawn. It is shown folded."
    )
    expect(view.locator(".graph-scenes")).to_have_count(0)
    view.locator(".stage-area .node.fold").click()
    expect(view.locator(".twin-list tbody tr")).to_have_count(100)  # at a time: its nodes as a list, as there is no other picture
    expect(view.locator(".twin-within")).to_contain_text("SinBackward0 × 300")


def test_a_saved_tensor_says_what_it_is_to_its_function(staged: Staged) -> None:
    nodes = [
        GraphNode(id="n0", kind="custom_function", label="SquareBackward"),
        GraphNode(id="n1", kind="saved", label="\n (3, 3)", shape=[3, 3], name="x", saved_role="input"),
        GraphNode(id="n2", kind="saved", label="result\n (3, 3)", name="result", shape=[3, 3], saved_role="output"),
    ]
    edges = [GraphEdge(source="n1", target="n0", kind="saved"), GraphEdge(source="n0", target="n2", kind="saved")]
    view = shown(staged, drawn(GraphRecord(nodes=nodes, edges=edges)))
    assert view.locator('[data-node="n1"] tspan').all_text_contents() == ["x", "input (3, 3)"]
    assert view.locator('[data-node="n2"] tspan').all_text_contents() == ["result", "output (3, 3)"]
    choose(view, "As a list")
    row = view.locator(".twin-list tbody tr").filter(has_text="input, saved for SquareBackward")
    expect(row.locator(".id")).to_have_text("n1")
    expect(row.locator("td").last).to_be_empty()  # no gradients are sent
