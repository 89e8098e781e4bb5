"""The input for Graphviz: rows in topological order, and trunks that replace many long links."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from app.protocol.geometry import LayoutLink, LayoutRequest
from app.sandbox.layout.ranks import rank
from app.sandbox.layout.trunks import MOST_LONG_LINKS, Sketch, sketch

BOX = (150.0, 30.0)


def request(count: int, links: list[LayoutLink]) -> LayoutRequest:
    return LayoutRequest(nodes=[BOX] * count, links=links)


def chain(count: int) -> list[LayoutLink]:
    return [LayoutLink(one, other) for one, other in pairwise(range(count))]


def shared(steps: int, kind: int = 0) -> LayoutRequest:
    """Return a chain of so many nodes, and a last node that leads to each."""
    return request(steps + 1, [*chain(steps), *(LayoutLink(steps, step, kind=kind) for step in range(steps))])


def way(sketched: Sketch, link: int) -> list[int]:
    """Return the nodes and joints that a link passes, from tail to head, if its trunk leads down."""
    branch = sketched.branches[link]
    assert branch.line is not None
    pieces = sketched.trunks[branch.trunk][: branch.steps] if branch.trunk >= 0 else []
    lines = [sketched.lines[index] for index in (*pieces, branch.line)]
    assert all(one.head == other.tail for one, other in pairwise(lines))
    return [lines[0].tail, *(line.head for line in lines)]


def test_what_leads_to_the_longest_path_stands_right_over_its_use() -> None:
    assert rank(6, [(0, 1), (1, 2), (2, 3), (4, 3), (5, 4)]) == [0, 1, 2, 3, 2, 1]


def test_what_branches_off_stands_right_under_what_it_comes_from() -> None:
    assert rank(6, [(0, 1), (1, 2), (2, 3), (0, 4), (4, 5)]) == [0, 1, 2, 3, 1, 2]


def test_a_graph_beside_another_has_rows_of_its_own() -> None:
    rows = rank(5, [(0, 1), (1, 2), (3, 4)])
    assert rows[4] == rows[3] + 1


pairs = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda pair: pair[0] != pair[1]), max_size=30)


@given(pairs)
def test_edges_lead_down_and_a_cycle_is_ranked_all_the_same(edges: list[tuple[int, int]]) -> None:
    forward = [(min(pair), max(pair)) for pair in edges]
    rows = rank(12, forward)
    assert min(rows) >= 0
    assert all(rows[tail] < rows[head] for tail, head in forward)
    assert all(rows_of_cycle >= 0 for rows_of_cycle in rank(12, edges))


def test_many_long_links_of_one_node_go_along_one_trunk_and_each_arrives() -> None:
    steps = 40
    sketched = sketch(shared(steps))
    assert len(sketched.trunks) == 1
    for step in range(steps):
        passed = way(sketched, steps - 1 + step)
        assert (passed[0], passed[-1]) == (steps, step)
    assert len(sketched.lines) < 3 * steps


def test_many_long_links_that_come_to_one_node_go_along_one_trunk() -> None:
    steps = 40
    sketched = sketch(request(steps, [*chain(steps), *(LayoutLink(step, steps - 1) for step in range(steps - 2))]))
    (trunk,) = sketched.trunks
    assert sketched.lines[trunk[0]].head == steps - 1
    for link in range(steps - 1, 2 * steps - 4):
        branch = sketched.branches[link]
        joint = sketched.lines[branch.line or 0].head
        assert sketched.lines[trunk[branch.steps - 1]].tail == joint


def test_a_few_long_links_are_drawn_each_for_itself() -> None:
    links = [*chain(20), *(LayoutLink(0, 3 * end) for end in range(1, MOST_LONG_LINKS + 1))]
    assert sketch(request(20, links)).trunks == []


def test_links_of_different_kinds_share_no_trunk() -> None:
    steps = 20
    both = shared(steps).links + [LayoutLink(steps, step, kind=1) for step in range(steps)]
    sketched = sketch(request(steps + 1, both))
    assert len(sketched.trunks) == 2
    kinds = {branch.trunk: link.kind for link, branch in zip(both, sketched.branches, strict=True) if branch.trunk >= 0}
    assert len(kinds) == 2
    assert all(kinds[branch.trunk] == link.kind for link, branch in zip(both, sketched.branches, strict=True) if branch.trunk >= 0)


def test_a_loop_and_a_ghost_have_no_curve() -> None:
    sketched = sketch(request(2, [LayoutLink(0, 0), LayoutLink(0, 1, "ghost"), LayoutLink(0, 1)]))
    assert [branch.line is None for branch in sketched.branches] == [True, True, False]
