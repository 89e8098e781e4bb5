"""The picture of a large graph that is not folded: what the list brings into sight, and which way an edge goes along a trunk."""

import msgspec
import pytest
from playwright.sync_api import Locator, expect

from app.protocol.geometry import Geometry
from app.protocol.records.graph import GraphEdge, GraphNode, GraphRecord
from app.runner.drawing.graph_drawing import Drawing
from app.runner.drawing.graph_svg import render_svg
from app.sandbox.layout.layout_main import draw
from tests.browser.graph_menu import choose
from tests.browser.lesson_page import LessonPage
from tests.browser.staged_runner import StagedRunner, show

pytestmark = pytest.mark.same_page

STEPS = 650
READABLE_PIXELS = 11  # of the height of a line of text


def shared_weight(steps: int = STEPS) -> dict[str, object]:
    """A weight that is used at each of many steps, 1,952 nodes: as the API sends it."""
    nodes = [GraphNode(id="n0", kind="leaf", label="w\n (3, 3)"), GraphNode(id="n1", kind="accumulate_grad", label="AccumulateGrad")]
    edges = [GraphEdge(source="n0", target="n1")]
    before = None
    for step in range(steps):
        product, tanh, add = (f"n{2 + 3 * step + offset}" for offset in range(3))
        for name, label in ((product, "MulBackward0"), (tanh, "TanhBackward0"), (add, "AddBackward0")):
            nodes.append(GraphNode(id=name, kind="function", label=label, line=3))
        edges += [GraphEdge(source="n1", target=product), GraphEdge(source=product, target=tanh), GraphEdge(source=tanh, target=add)]
        edges += [GraphEdge(source=before, target=end) for end in (product, add) if before]
        before = add
    record = GraphRecord(nodes=nodes, edges=edges)
    drawing = Drawing(record)
    geometry = draw(drawing.request())
    assert isinstance(geometry, Geometry)
    whole = msgspec.structs.replace(record, svg=render_svg(drawing, geometry))
    return dict(msgspec.to_builtins(whole))


@pytest.fixture(scope="module")
def record() -> dict[str, object]:
    return shared_weight()


def shown(staged: tuple[LessonPage, StagedRunner], record: dict[str, object]) -> Locator:
    lesson, runner = staged
    runner.plays = [show(record)]
    lesson.editor().press("Shift+Enter")
    lesson.says("Finished")
    lesson.is_drawn()
    return lesson.results()


def height(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["height"]


def test_a_node_of_the_list_is_brought_to_the_middle_of_the_picture(
    staged: tuple[LessonPage, StagedRunner], record: dict[str, object]
) -> None:
    results = shown(staged, record)
    choose(results, "As a list")
    row = results.locator(".twin-list tbody tr").nth(60)
    row.get_by_role("button").click()
    node = results.locator(".stage-area .node.picked").first
    expect(node.locator(".name")).to_be_visible()
    assert height(node.locator(".name")) >= READABLE_PIXELS


def test_pointing_at_a_node_brings_out_its_way_along_the_trunk(staged: tuple[LessonPage, StagedRunner], record: dict[str, object]) -> None:
    results = shown(staged, record)
    pieces = results.locator(".stage-area .trunk.picked")
    expect(pieces).to_have_count(0)
    steps = int(results.locator('.stage-area .edge[data-target="n8"][data-source="n1"]').get_attribute("data-steps") or 0)
    results.locator('.stage-area [data-node="n8"]').dispatch_event("pointerover")
    expect(pieces).to_have_count(steps)
    assert steps > 1
