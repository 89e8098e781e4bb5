"""What every record of a run has in common. A record is one typed thing that a run shows; `kind`, its tag, says which.

The sandbox child writes records as JSON and the runner decodes them strictly, so every field is hostile until then. A kind is added as a
module beside this one and a line in `app.protocol.records.registry`; docs/records.md has the whole way.
"""

from typing import Annotated, Literal

import msgspec

Family = Literal["display", "function", "diagnosis"]  # which list of a result a record belongs to

Label = Annotated[str, msgspec.Meta(max_length=4096)]
Text = Annotated[str, msgspec.Meta(max_length=65_536)]
Line = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Column = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Shape = Annotated[list[Annotated[int, msgspec.Meta(ge=0)]], msgspec.Meta(max_length=64)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Record(msgspec.Struct, tag_field="kind", kw_only=True):
    """Something a run shows."""


class Display(Record, kw_only=True):
    """A record that a cell's results show: the line that made it, its title, and how much had been printed before it."""

    cell: Label | None = None
    line: Line | None = None
    title: Label = ""
    stdout_offset: Count = 0  # in characters; set by the runner

    @property
    def name(self) -> str:
        """What `[cell.shows]` of a lesson calls it; one of its kind's names in the registry."""
        raise NotImplementedError
