"""What a cell declares that it shows: the `[cell.shows]` table of lesson.toml, which `gradroom lessons check` compares with a run."""

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from app.protocol.outcome import Outcome

ShownDisplay = Literal["graph", "value", "gradcheck passed", "gradcheck failed", "gradgradcheck passed", "gradgradcheck failed"]
SHOWN_DISPLAYS: tuple[ShownDisplay, ...] = get_args(ShownDisplay)


class ShownGraph(msgspec.Struct, frozen=True, kw_only=True):
    """What is declared of one graph. None and () are not compared."""

    line: int
    connected: tuple[str, ...] = ()
    isolated: tuple[str, ...] = ()
    nodes: int | None = None
    edges: int | None = None


class Shows(msgspec.Struct, frozen=True, kw_only=True):
    """One cell's declaration. `lines` says where each key stands in lesson.toml; "shows" is the table itself."""

    lines: Mapping[str, int]
    outcome: Outcome = Outcome.FINISHED
    displays: tuple[ShownDisplay, ...] = ()
    stdout: tuple[str, ...] = ()
    stderr: tuple[str, ...] = ()
    message: str | None = None
    values: tuple[str, ...] | None = None
    graphs: tuple[ShownGraph, ...] = ()

    def line(self, key: str) -> int:
        return self.lines.get(key, self.lines["shows"])
