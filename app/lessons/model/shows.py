"""What is declared that a run shows: `[cell.shows]` and its like in lesson.toml, which `gradroom lessons check` compares with a run."""

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
    """One declaration. `lines` has the line in lesson.toml of each key, element and table: "stdout", "stdout.0", "graph.0.nodes".

    Of a prediction's choice only what it gives is compared.
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
        """Whether the key is written there: "stdout", "raises", "graph"."""
        return key in self.lines

    def line(self, *path: str | int) -> int:
        """The line of `path`, or of the nearest thing around it, at last of the table itself."""
        name = ".".join(map(str, path))
        while name and name not in self.lines:
            name = name.rpartition(".")[0]
        return self.lines[name]
