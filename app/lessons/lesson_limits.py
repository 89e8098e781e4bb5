"""The table `[limits]` of lesson.toml: what the runs of a lesson may use, where the server's limits do not fit."""

from app.lessons.table import Table
from app.protocol.limits import ASKABLE, bounds

DEADLINE_SECONDS = 60


def read_deadline(table: Table) -> dict[str, float]:
    """The key deadline_seconds, if it is there."""
    seconds = table.number("deadline_seconds", 0, DEADLINE_SECONDS)
    return {} if seconds is None else {"deadline_seconds": seconds}


def read_memory(table: Table) -> dict[str, float]:
    """The key memory_bytes, if it is there."""
    memory = table.whole("memory_bytes", *bounds("memory_bytes"))
    return {} if memory is None else {"memory_bytes": memory}


def load_limits(lesson: Table) -> dict[str, float]:
    """The limits that a lesson asks for, by their names in Limits; problems are reported."""
    table = lesson.table("limits", "the table [limits]")
    if table is None:
        return {}
    asked = read_deadline(table)
    for name in ASKABLE:
        if name != "deadline_seconds" and (value := table.whole(name, *bounds(name))) is not None:
            asked[name] = value
    table.finish()
    return asked
