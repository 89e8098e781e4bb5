"""What a lesson declares about a run. `gradroom lessons check` compares the declaration with a run."""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from app.lessons.model.keys import Count, Texts
from app.protocol.outcome import Outcome


class ShownGraph(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is declared about one graph. Keys that are left out are not compared."""

    connected: Annotated[Texts, Meta(description="Names of boxes with an edge.")] = ()
    isolated: Annotated[Texts, Meta(description="Names of boxes that no edge touches.")] = ()
    nodes: Count | None = None
    edges: Count | None = None


class Shows(msgspec.Struct, frozen=True, kw_only=True):
    """A table [cell.shows] or [try.shows], or a choice of a prediction. For a choice, only the given keys are compared with a run.

    `lines` maps the dotted path of each key and element to its line in lesson.toml. Paths are such as "stdout", "stdout.0",
    "graph.0.nodes".
    """

    lines: Mapping[str, int]
    outcome: Outcome = Outcome.FINISHED
    raises: str | None = None  # the name of the exception with which the run ends
    records: tuple[str, ...] = ()  # names of the registry of records
    stdout: tuple[str, ...] = ()
    stderr: tuple[str, ...] = ()
    message: str | None = None
    values: tuple[str, ...] | None = None
    figures: tuple[str, ...] | None = None
    graphs: tuple[ShownGraph, ...] = ()
    traced: tuple[str, ...] = ()  # lines that describe the second run

    def line(self, *path: str | int) -> int:
        """Return the line of the key or element at `path`. If it has none, return that of the innermost list or table around it."""
        name = ".".join(map(str, path))
        while name and name not in self.lines:
            name = name.rpartition(".")[0]
        return self.lines[name]
