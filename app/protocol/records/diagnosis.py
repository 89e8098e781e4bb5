"""The diagnosis of a program: which pitfall it has, and what shows that."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import msgspec

from app.protocol.records.record import Id, Label, Record, Shape, Span, Text

VALUES = 16
PLACES = 32
EDITS = 32
Code = Annotated[str, msgspec.Meta(pattern=r"\A[a-z][a-z0-9-]{0,63}\Z")]
Identifier = Annotated[
    str, msgspec.Meta(pattern=r"\A([^\W\d]\w{0,63}(\.[^\W\d]\w{0,63}){0,3}(\[\d{1,4}\])?|-inf)\Z")
]  # as in Python: "ctx.saved", "saved_tensors[0]"; or a Real


Severity = Literal["error", "warning", "hint"]


class Edit(msgspec.Struct, kw_only=True):
    """A change of the program: `text` in place of what is at `span`."""

    span: Span
    text: Text


class Diagnosis(Record, tag="diagnosis", kw_only=True):
    """One pitfall of the program.

    `code`: the pitfall's public name. `values`: the numbers, shapes and names that its words mention. `evidence`: ids of what shows it.
    `places`: named pieces of the program, on which `edits` work.

    No text is taken from the child. The runner sets `title`, `message`, `change`, `lesson` ("chapter/lesson"), `explains` (codes of what
    follows from this mistake) and `edits` (which mend the program together) in the run's language, whatever was sent (app.pitfalls). They
    are None or empty for a code that has no file, and if a value is missing that the words mention. `severity` is that of the pitfall,
    unless a milder one was sent.
    """

    code: Code
    severity: Severity = "error"
    values: Annotated[Mapping[Identifier, int | float | bool | Shape | Identifier], msgspec.Meta(max_length=VALUES)] = {}
    evidence: Annotated[list[Id], msgspec.Meta(max_length=64)] = []
    places: Annotated[Mapping[Identifier, Span], msgspec.Meta(max_length=PLACES)] = {}
    message: Text | None = None
    change: Text | None = None
    lesson: Label | None = None
    explains: Annotated[list[Code], msgspec.Meta(max_length=64)] = []
    edits: Annotated[list[Edit], msgspec.Meta(max_length=EDITS)] = []

    @property
    def name(self) -> str:
        return f"diagnosis {self.code}"

    @property
    def references(self) -> Iterable[str]:
        return (*self.refs, *self.evidence)

    @property
    def spans(self) -> Iterable[Span | None]:
        yield from self.places.values()
