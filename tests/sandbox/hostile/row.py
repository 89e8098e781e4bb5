"""A row of the hostile suite: one program as a learner could paste it, headed by comments that say what must become of it.

    # tries: to start a process with fork
    # outcome: forbidden
    import os
    os.fork()
    print("ESCAPED")

The header is read strictly: every key is known, none comes twice, `tries` and `outcome` are there.

    tries     what the program is after, in plain words
    outcome   those it may have, with commas between
    says      a text that must be found in the output or in the error
    mark      what the output has when the attempt worked (a Python literal; default "ESCAPED"); it must not be found in the sandbox
    where     the place of the mark: output (default) or pictures (the SVG of its graphs and figures)
    settings  where the row applies, if not in all: root, user, container
    runtimes  those whose children have what the row attacks, if not all: torch, tensorflow, jax
    machine   the only CPU architecture it is written for
    deadline  seconds it is given (default 10)
    twin      how the same attempt ends outside: "escapes" (default: the mark is printed), "dies" (the process that runs it dies),
              "endless" (it would run on), "none: why" (cannot succeed here); with "as root " before it where it takes root to work

A line `NAME = value  # twin: other` has the other value in the twin: the bounded stand-in for a bomb.
"""

import ast
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app.protocol.outcome import Outcome
from app.protocol.run import RuntimeName
from app.runtimes.specs import SPECS

PROGRAMS = Path(__file__).parent / "programs"
KEYS = {"tries", "outcome", "says", "mark", "where", "settings", "runtimes", "machine", "deadline", "twin"}
SETTINGS = {"root", "user", "container"}
RUNTIMES: set[RuntimeName] = set(SPECS)
# Whoever runs the server, these meet the same defence: the filter of system calls, of which an ordinary user's allows no more than root's
# (test_hostile.py), or the runner, which reads what a child says without a layer of the kernel. All others depend on who it is: root gives
# each run a uid and a control group, and an ordinary user cannot.
ALIKE_GROUPS = {"abi", "kernel", "network"} | {"channel", "display", "output"}

TwinKind = Literal["escapes", "dies", "endless", "none"]

_HEADER = re.compile(r"# (\w+): (.+)")
_BOUND = re.compile(r"^(\w+) = (.+?)  # twin: (.+)$", re.MULTILINE)


class HeaderError(ValueError):
    """A row's header does not say what it must."""


@dataclass(frozen=True, kw_only=True)
class Twin:
    """The same attempt in a plain process: how it should end there. `reason` says why it cannot succeed, if it cannot."""

    kind: TwinKind
    as_root: bool
    reason: str
    source: str


@dataclass(frozen=True, kw_only=True)
class Row:
    """One attempt, as its file says."""

    name: str  # group/file
    tries: str
    outcomes: frozenset[Outcome]
    says: str
    mark: str
    where: str
    settings: frozenset[str]
    runtimes: frozenset[str]
    machine: str | None
    deadline_seconds: float
    twin: Twin
    source: str

    @property
    def group(self) -> str:
        return self.name.partition("/")[0]

    @property
    def depends_on_who(self) -> bool:
        """Whether another defence stops it if the server runs as an ordinary user."""
        return self.group not in ALIKE_GROUPS


def load_rows() -> list[Row]:
    """Return all rows, sorted by group and name. Raises HeaderError."""
    return [parse_row(f"{path.parent.name}/{path.stem}", path.read_text()) for path in sorted(PROGRAMS.glob("*/*.py"))]


def parse_row(name: str, source: str) -> Row:
    """Return the row in a file's text. Raises HeaderError."""
    fields = parse_header(name, source)
    try:
        return Row(
            name=name,
            tries=fields["tries"],
            outcomes=frozenset(Outcome(word) for word in fields["outcome"].split(", ")),
            says=fields.get("says", ""),
            mark=ast.literal_eval(fields.get("mark", "'ESCAPED'")),
            where=one_of(fields.get("where", "output"), {"output", "pictures"}),
            settings=frozenset(one_of(word, SETTINGS) for word in fields.get("settings", "root, user, container").split(", ")),
            runtimes=frozenset(one_of(word, RUNTIMES) for word in fields.get("runtimes", ", ".join(RUNTIMES)).split(", ")),
            machine=fields.get("machine"),
            deadline_seconds=float(fields.get("deadline", 10)),
            twin=parse_twin(fields.get("twin", "escapes"), source),
            source=source,
        )
    except (KeyError, ValueError, SyntaxError) as error:
        raise HeaderError(f"{name}: {type(error).__name__}: {error}") from error


def parse_header(name: str, source: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in source.splitlines():
        if not line.startswith("#"):
            break
        found = _HEADER.fullmatch(line)
        if not found or found[1] not in KEYS or found[1] in fields:
            raise HeaderError(f"{name}: this is no line of a header: {line}")
        fields[found[1]] = found[2]
    return fields


def parse_twin(text: str, source: str) -> Twin:
    as_root = text.startswith("as root ")
    kind, _, reason = text.removeprefix("as root ").partition(": ")
    if one_of(kind, {"escapes", "dies", "endless", "none"}) == "none" and not reason:
        raise ValueError("a twin that cannot succeed needs a reason")
    return Twin(kind=kind, as_root=as_root, reason=reason, source=_BOUND.sub(r"\1 = \3", source))  # type: ignore[arg-type]  # one of the four


def one_of(word: str, known: Collection[str]) -> str:
    if word not in known:
        raise ValueError(f"{word!r} is not one of {sorted(known)}")
    return word
