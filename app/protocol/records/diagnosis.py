"""What the doctor says of a program: which pitfall it fell into, and what shows that."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import msgspec

from app.protocol.records.record import Id, Label, Record, Shape, Text

VALUES = 16
Code = Annotated[str, msgspec.Meta(pattern=r"\A[a-z][a-z0-9-]{0,63}\Z")]
Identifier = Annotated[
    str, msgspec.Meta(pattern=r"\A([^\W\d]\w{0,63}(\.[^\W\d]\w{0,63}){0,3}|-inf)\Z")
]  # as in Python: "ctx.saved"; or a Real


class Diagnosis(Record, tag="diagnosis", kw_only=True):
    """`code`: the pitfall's public name. `values`: the numbers, shapes and names that its words mention. `evidence`: ids of what shows it.

    No text is taken from the child. The runner sets `message`, `change` and `lesson` ("chapter/lesson") in the run's language, whatever was
    sent (app.diagnoses). They are None for a code that has no words.
    """

    code: Code
    severity: Literal["error", "warning", "hint"]
    values: Annotated[Mapping[Identifier, int | float | bool | Shape | Identifier], msgspec.Meta(max_length=VALUES)] = {}
    evidence: Annotated[list[Id], msgspec.Meta(max_length=64)] = []
    message: Text | None = None
    change: Text | None = None
    lesson: Label | None = None

    @property
    def name(self) -> str:
        return f"diagnosis {self.code}"

    @property
    def references(self) -> Iterable[str]:
        return (*self.refs, *self.evidence)
