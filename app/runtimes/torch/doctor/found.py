"""A mistake that was found in a learner's program, with its evidence. Runs in the child."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from app.protocol.records.diagnosis import PLACES, VALUES, Diagnosis, Severity
from app.protocol.records.record import Span

Value = int | float | bool | str | list[int]
_NAME = re.compile(r"[^\W\d]\w{0,63}(\.[^\W\d]\w{0,63}){0,3}(\[\d{1,4}\])?")
_EVIDENCE = 8


@dataclass
class Found:
    """A mistake. `code`: the pitfall. `function`: the name of the Function, "" if it is about none. `evidence`: ids of what shows it.

    `severity`: the highest severity that it can have in this program; the pitfall's own may be milder.
    """

    code: str
    span: Span | None
    values: Mapping[str, Value] = field(default_factory=dict)
    places: Mapping[str, Span] = field(default_factory=dict)
    evidence: list[str] = field(default_factory=list)
    severity: Severity = "error"

    @property
    def function(self) -> str:
        return str(self.values.get("function", ""))

    def record(self) -> Diagnosis:
        values = {name: name_in(value) if isinstance(value, str) else value for name, value in list(self.values.items())[:VALUES]}
        return Diagnosis(
            code=self.code,
            severity=self.severity,
            values=values,
            places=dict(list(self.places.items())[:PLACES]),
            evidence=self.evidence[:_EVIDENCE],
        )


def name_in(text: str, otherwise: str = "_") -> str:
    """Return the name with which a piece of source begins, such as `x_hat` or `ctx.gate`.

    Returns `otherwise` if it begins with a call or with something else.
    """
    found = _NAME.match(text)
    return found[0] if found and not text[found.end() :].startswith("(") else otherwise
