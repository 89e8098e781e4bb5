"""Large graphs as learners make them get a picture within the time that a run has, or a note that says why not."""

import asyncio

import msgspec
import pytest

from app.protocol import geometry
from app.protocol.geometry import Geometry, LayoutRequest
from app.protocol.limits import Limits
from app.protocol.records.graph import GraphEdge, GraphNode, GraphRecord
from app.runner.drawing.layout_process import LayoutFailed, LayoutTimedOut
from app.runner.drawing.layout_workers import Allowance, LayoutWorkers
from app.runner.drawing.pictures import Pictures
from tests.load.graph_programs import PROGRAMS, draw_graph
from tests.runner.drawing.conftest import Draw, WithLayouts
from tests.sample import sample


class StubbornLayout(LayoutWorkers):
    """A layout that never ends unless it is asked for straight lines."""

    def __init__(self, *, hopeless: bool = False, error: LayoutFailed | None = None) -> None:
        super().__init__()
        self.asked: list[LayoutRequest] = []
        self.shares: list[float] = []
        self._hopeless = hopeless
        self._error = error or LayoutTimedOut()

    async def arrange(self, graph: LayoutRequest, allowance: Allowance, share: float = 1.0) -> Geometry:
        self.asked.append(graph)
        self.shares.append(share)
        if graph.engine is None or self._hopeless:
            raise self._error
        return Geometry(width=100, height=100, centres=[(50, 50)] * len(graph.nodes), curves=[], engine="straight")


def complete(layout: LayoutWorkers, record: GraphRecord, limits: Limits | None = None, lang: str = "en") -> GraphRecord:
    async def scenario() -> GraphRecord:
        drawn = await Pictures(layout, limits or Limits(), "zh-Hans" if lang == "zh-Hans" else "en").complete(record)
        assert isinstance(drawn, GraphRecord)
        return drawn

    return asyncio.run(scenario())


def graph(nodes: int, edges: int = 0) -> GraphRecord:
    return GraphRecord(
        nodes=[GraphNode(id=f"n{index}", kind="function", label="AddBackward0") for index in range(nodes)],
        edges=[GraphEdge(source="n0", target="n1")] * edges,
    )


LARGE = ["LSTM, 25 steps", "LSTM, 127 steps", "GRU, 100 steps", "dense net, 60 layers", "shared factor, 900 steps", "wide sum, 990 inputs"]


@pytest.mark.parametrize("name", sample(LARGE))
def test_a_large_graph_gets_a_picture_with_every_node_and_edge(draw: Draw, name: str) -> None:
    record = draw_graph(PROGRAMS[name])
    drawn = draw(record)
    assert drawn.note is None
    assert drawn.svg is not None
    assert drawn.svg.count('class="node ') == len(record.nodes)
    assert drawn.svg.count('class="edge') == len(record.edges)
    assert len(drawn.svg) < 1000 * (len(record.nodes) + len(record.edges))


def test_when_a_layout_takes_too_long_one_with_straight_lines_has_the_rest_of_the_time() -> None:
    layout = StubbornLayout()
    drawn = complete(layout, graph(3))
    assert drawn.svg is not None
    assert [request.engine for request in layout.asked] == [None, "straight"]
    assert layout.shares == [0.5, 1.0]


def test_when_the_layout_process_dies_over_a_graph_another_engine_draws_it() -> None:
    assert complete(StubbornLayout(error=LayoutFailed("the layout process died")), graph(3)).svg is not None


def test_a_graph_with_more_links_than_a_layout_takes_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geometry, "LAYOUT_LINKS", 2)
    layout = StubbornLayout()
    assert complete(layout, graph(3, 3)).note == "This graph could not be drawn. Your code is not the cause. It is listed as text."
    assert layout.asked == []


@pytest.mark.parametrize(("lang", "words"), [("en", "3 nodes and 2 edges"), ("zh-Hans", "3 个节点、2 条边")])
def test_what_no_engine_draws_in_time_says_so_with_its_size_and_the_limit(lang: str, words: str) -> None:
    drawn = complete(StubbornLayout(hopeless=True), graph(3, 2), Limits(layout_seconds=2.5), lang)
    assert drawn.svg is None
    assert words in (drawn.note or "")
    assert "2.5" in (drawn.note or "")
    assert len(drawn.nodes) == 3


def test_a_picture_that_is_too_large_says_so_with_the_size_of_the_graph() -> None:
    layout = StubbornLayout()
    drawn = complete(layout, graph(300), Limits(records_bytes=1024))
    assert drawn.svg is None
    assert "300 nodes and 0 edges" in (drawn.note or "")


def test_a_request_for_one_engine_is_answered_by_it(with_layouts: WithLayouts) -> None:
    request = LayoutRequest(nodes=[(50.0, 20.0)] * 3, links=[])
    alone = msgspec.structs.replace(request, engine="straight")
    assert with_layouts(lambda layout: layout.arrange(request, Allowance(30))).engine == "dot"
    assert with_layouts(lambda layout: layout.arrange(alone, Allowance(30))).engine == "straight"
