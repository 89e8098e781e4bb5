import msgspec

from app.lessons.course.review import find_excessive
from app.lessons.model.shows import Shows
from app.lessons.toml.problem import Problem
from app.protocol.limits import Limits
from tests.authoring.course import LINES, make_catalogue, make_cell

LIMITS = Limits(deadline_seconds=3)


def test_a_cell_that_asks_for_more_than_is_granted_is_a_problem() -> None:
    cell = make_cell("a", shows=Shows(lines=LINES))
    greedy = msgspec.structs.replace(cell, asks={"deadline_seconds": 60, "threads": 128, "output_bytes": 4 * 1024 * 1024})
    expected = "the cell a: output_bytes: expected at most 2,097,152, which this server grants, got 4,194,304"
    assert find_excessive(make_catalogue(greedy).course.lessons, LIMITS, factor=2) == [Problem("one/first/lesson.toml", 3, expected)]
