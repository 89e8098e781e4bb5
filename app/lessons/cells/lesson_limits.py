"""The limits that a lesson or an exercise asks for, where the server's do not fit."""

from collections.abc import Iterable

from app.lessons.toml.table import Table
from app.protocol.limits import ASKABLE, bounds

DEADLINE_SECONDS = 60


def read_limits(table: Table, names: Iterable[str]) -> dict[str, float]:
    """Those of the named limits that the table has; problems are reported."""
    asked: dict[str, float] = {}
    for name in names:
        value = table.number(name, 0, DEADLINE_SECONDS) if name == "deadline_seconds" else table.whole(name, *bounds(name))
        if value is not None:
            asked[name] = value
    return asked


def load_limits(lesson: Table) -> dict[str, float]:
    """The limits in the table [limits] of lesson.toml, by their names in Limits."""
    table = lesson.table("limits", "the table [limits]")
    if table is None:
        return {}
    asked = read_limits(table, ASKABLE)
    table.finish()
    return asked
