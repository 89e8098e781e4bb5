"""What a lesson declares that a run shows. `gradroom lessons check` compares it with a run."""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from app.lessons.model.keys import Count, Texts
from app.protocol.outcome import Outcome


class ShownGraph(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is declared of one graph. What is not given is not compared."""

    connected: Annotated[Texts, Meta(description="Names of boxes with an edge.")] = ()
    isolated: Annotated[Texts, Meta(description="Names of boxes that no edge touches.")] = ()
    nodes: Count | None = None
    edges: Count | None = None


class Shows(msgspec.Struct, frozen=True, kw_only=True):
    """A table [cell.shows] or [try.shows], or a choice of a prediction, of which only the given keys are compared.

    `lines` has the line in lesson.toml of each key and element by its dotted path: "stdout", "stdout.0", "graph.0.nodes".
    """

    lines: Mapping[str, int]
    outcome: Outcome = Outcome.FINISHED
    raises: str | None = None  # the name of the exception with which it ends
    records: tuple[str, ...] = ()  # names of the registry of records
    stdout: tuple[str, ...] = ()
    stderr: tuple[str, ...] = ()
    message: str | None = None
    values: tuple[str, ...] | None = None
    figures: tuple[str, ...] | None = None
    graphs: tuple[ShownGraph, ...] = ()

    def gives(self, key: str) -> bool:
        """Return whether the table has the key."""
        return key in self.lines

    def line(self, *path: str | int) -> int:
        """Return the line of what is at `path`, else of the innermost list or table around it that has a line."""
        name = ".".join(map(str, path))
        while name and name not in self.lines:
            name = name.rpartition(".")[0]
        return self.lines[name]
