"""What every record of a run has in common. A record is one typed thing that a run shows; `kind`, its tag, says which.

The sandbox child writes records as JSON and the runner decodes them strictly, so every field is hostile until then. A kind is added as a
module beside this one and a line in `app.protocol.records.registry`; docs/records.md has the whole way.
"""

from collections.abc import Iterable
from typing import Annotated

import msgspec

Label = Annotated[str, msgspec.Meta(max_length=4096)]
Text = Annotated[str, msgspec.Meta(max_length=65_536)]
Line = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Column = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Shape = Annotated[list[Annotated[int, msgspec.Meta(ge=0)]], msgspec.Meta(max_length=64)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
Id = Annotated[str, msgspec.Meta(pattern=r"\A[A-Za-z0-9_-]{1,80}\Z")]  # of a record, a node, a tensor or a call: one for the whole run

REFERENCES = 256  # the most ids that one record refers to


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of a cell's source; a bare source has no cell. Lines from 1, columns from 0 in code points, the end exclusive."""

    cell: Label | None = None
    line: Line
    column: Column | None = None
    end_line: Line | None = None
    end_column: Column | None = None


class Record(msgspec.Struct, tag_field="kind", kw_only=True):
    """The fields that all records have. `span`: the source that made the record; None if no line of the program was running.

    `refs`: ids of what the record is about, sent before it or in it. `stdout_offset`: how many characters had been printed before the
    record; set by the runner.
    """

    id: Id = ""  # set by the child's recorder; a record without one is malformed
    span: Span | None = None
    refs: Annotated[list[Id], msgspec.Meta(max_length=REFERENCES)] = []
    title: Label = ""
    stdout_offset: Count = 0

    @property
    def name(self) -> str:
        """The name that `[cell.shows]` of a lesson uses for the record: the kind, or one of the names that the registry lists for it."""
        return str(type(self).__struct_config__.tag)

    @property
    def introduces(self) -> Iterable[str]:
        """The ids of the nodes, tensors and calls that the record contains. Later records may refer to them."""
        return ()

    @property
    def spans(self) -> Iterable[Span | None]:
        """The pieces of source that the record names besides its own `span`."""
        return ()

    @property
    def references(self) -> Iterable[str]:
        """The ids that the record refers to. What they name must be sent before the record, or in it."""
        return self.refs
