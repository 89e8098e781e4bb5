"""A program as learners paste it from published tutorials, right or with one of the usual faults, and the expected result."""

import tomllib
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from app.protocol.outcome import Outcome
from app.protocol.run import DEFAULT_RUNTIME, RuntimeName

FOLDER = Path(__file__).parent
PROGRAMS = FOLDER / "programs"


class PastedGraph(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    nodes: int
    edges: int
    isolated: list[str] = []


class Expectation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of pasted.toml, which says what the keys mean."""

    records: list[str] = []
    prints: list[str] = []
    graph: PastedGraph | None = None
    pitfall: str | None = None
    silent: str | None = None
    runtime: RuntimeName = DEFAULT_RUNTIME
    lesson: str
    answer: str

    @property
    def is_told(self) -> bool:
        """Return whether a failed comparison or an explained error shows the fault."""
        return self.pitfall is not None or any(name.endswith(" failed") for name in self.records)

    @property
    def outcome(self) -> Outcome:
        """The outcome of a wrong program: gradcheck raises, and TensorFlow's comparison does not."""
        goes_on = self.silent is not None or (self.runtime == "tensorflow" and self.pitfall is None)
        return Outcome.FINISHED if goes_on else Outcome.RAISED


class Pasted(NamedTuple):
    kind: Literal["right", "wrong"]
    name: str
    expected: Expectation

    @property
    def source(self) -> str:
        return (PROGRAMS / self.kind / f"{self.name}.py").read_text(encoding="utf-8")


def load_pasted() -> list[Pasted]:
    """Load the programs. Raises msgspec.ValidationError if pasted.toml has an unexpected key or value."""
    tables = msgspec.convert(
        tomllib.loads((FOLDER / "pasted.toml").read_text(encoding="utf-8")),
        dict[Literal["right", "wrong"], dict[str, Expectation]],
    )
    return [Pasted(kind, name, expected) for kind, table in tables.items() for name, expected in table.items()]
