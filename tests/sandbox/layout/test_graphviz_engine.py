"""Drawings by Graphviz: nothing overlaps, and every line arrives."""

import random
from itertools import pairwise
from typing import get_args

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.protocol.geometry import Engine, Geometry, LayoutLink, LayoutRequest, Point, Way
from app.sandbox.layout import layout_main
from tests.sandbox.layout.test_sketch import chain, request, shared

ROUNDING = 1.0  # in points: Graphviz writes numbers with a few digits


def draw(asked: LayoutRequest, engine: Engine = "dot") -> Geometry:
    geometry = layout_main.draw(msgspec.structs.replace(asked, engine=engine))
    assert isinstance(geometry, Geometry)
    return geometry


def overlap(one: Point, other: Point, centres: tuple[Point, Point]) -> bool:
    return all(abs(centres[0][axis] - centres[1][axis]) < (one[axis] + other[axis]) / 2 - ROUNDING for axis in (0, 1))


WAYS: tuple[Way, ...] = ("down", "down", "beside", "ghost")
nodes = st.lists(st.tuples(st.floats(20, 300), st.floats(20, 80)), min_size=1, max_size=14)
links = st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13), st.sampled_from(WAYS), st.integers(0, 1)), max_size=40)


@settings(max_examples=200, deadline=None)
@given(nodes, links, st.sampled_from(get_args(Engine)))
# dot once made none of its rounds here, which corrupted its memory
@example([(50.0, 30.0)] * 4, [(3, 1, "down", 1), (3, 2, "beside", 0), (0, 2, "down", 1)], "hasty")
def test_in_any_graph_no_two_nodes_overlap_and_all_lie_on_the_canvas(
    sizes: list[Point], ends: list[tuple[int, int, Way, int]], engine: Engine
) -> None:
    count = len(sizes)
    geometry = draw(LayoutRequest(nodes=sizes, links=[LayoutLink(a % count, b % count, way, kind) for a, b, way, kind in ends]), engine)
    for index, (x, y) in enumerate(geometry.centres):
        width, height = sizes[index]
        assert -ROUNDING <= x - width / 2 <= x + width / 2 <= geometry.width + ROUNDING
        assert -ROUNDING <= y - height / 2 <= y + height / 2 <= geometry.height + ROUNDING
        for other in range(index):
            assert not overlap(sizes[index], sizes[other], (geometry.centres[index], geometry.centres[other]))


def test_a_head_is_under_its_tail_and_the_arrow_ends_at_its_border() -> None:
    geometry = draw(request(2, [LayoutLink(0, 1)]))
    (x, _), (_, y) = geometry.centres
    (curve,) = geometry.curves
    assert curve.points[0] == pytest.approx((x, 30.0), abs=ROUNDING)
    assert curve.tip == pytest.approx((x, y - 15.0), abs=ROUNDING)


def test_a_node_beside_another_is_in_its_row() -> None:
    geometry = draw(request(3, [LayoutLink(0, 1), LayoutLink(0, 2, "beside")]))
    assert geometry.centres[0][1] == geometry.centres[2][1]
    assert geometry.curves[1].tip is None


def test_the_pieces_of_a_trunk_and_its_branches_meet() -> None:
    steps = 30
    geometry = draw(shared(steps))
    (trunk,) = geometry.trunks
    assert all(one.points[-1] == other.points[0] for one, other in pairwise(trunk))
    for curve in geometry.curves[steps - 1 :]:
        if curve.trunk >= 0:
            assert curve.points[0] == trunk[curve.steps - 1].points[-1]
            assert curve.tip is not None


def test_a_trunk_beside_a_chain_is_upright() -> None:
    geometry = draw(shared(60))
    xs = [x for piece in geometry.trunks[0][1:] for x, _ in piece.points]
    assert max(xs) - min(xs) < 200


@pytest.mark.parametrize("count", [2, 500])
def test_a_tangle_is_drawn(count: int) -> None:
    chance = random.Random(count)
    ends = [sorted((chance.randrange(count), chance.randrange(count))) for _ in range(4 * count)]
    asked = request(count, [LayoutLink(tail, head) for tail, head in ends])
    assert len(draw(asked, "straight").curves) == 4 * count


def test_the_layout_process_draws_the_simple_with_care_and_the_entangled_in_haste() -> None:
    simple, entangled = (layout_main.draw(asked) for asked in (request(200, chain(200)), shared(900)))
    assert isinstance(simple, Geometry)
    assert isinstance(entangled, Geometry)
    assert (simple.engine, entangled.engine) == ("dot", "hasty")


def test_the_same_graph_gives_the_same_geometry() -> None:
    assert draw(shared(20)) == draw(shared(20))
