"""Prints what the doctor finds in the three corpora, and on which lines: `python -m tests.doctor.score [programs] [functions] [correct]`.

Each program runs as a second run does, with the instruments `trace` and `doctor`, in a child of one warm process.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.records.diagnosis import Diagnosis
from app.protocol.records.fault import FaultRecord
from app.protocol.run import Program, Source
from app.runtimes.torch.doctor.diagnosing import SECOND_ORDER
from tests.runtimes.children import Children

SEVERITIES = ("error", "warning", "hint")
FOLDER = Path(__file__).parent
HEADER = re.compile(r"# ([\w ]+): (.+)")


class Seen(NamedTuple):
    """A pitfall that was found, and its line; None if it has no line."""

    code: str
    line: int | None
    severity: str
    words: str


class Scored(NamedTuple):
    """A program, what its headers expect, and what was found in it."""

    path: Path
    headers: dict[str, str]
    seen: list[Seen]

    @property
    def name(self) -> str:
        return str(self.path.relative_to(FOLDER).with_suffix(""))

    @property
    def loud(self) -> list[Seen]:
        """The errors and warnings."""
        return [each for each in self.seen if each.severity != "hint"]

    @property
    def at_line(self) -> list[Seen]:
        return [each for each in self.seen if str(each.line) == self.headers.get("line")]

    @property
    def has_code(self) -> bool:
        return any(each.code == self.headers.get("pitfall") for each in self.seen)

    @property
    def is_right(self) -> bool:
        return any(each.code == self.headers.get("pitfall") for each in self.at_line)

    @property
    def has_fault(self) -> bool:
        """Whether a finding is at the fault's line. A hint counts only if it is about second derivatives."""
        return any(each in self.loud or each.code in SECOND_ORDER for each in self.at_line)

    def is_good(self, corpus: str) -> bool:
        """Return whether the program was judged as it should be, which depends on its corpus."""
        return {"programs": self.is_right, "functions": self.has_fault, "correct": not self.loud}[corpus]


def score(children: Children, path: Path) -> Scored:
    text = path.read_text()
    headers = dict(match.groups() for line in text.splitlines()[:4] if (match := HEADER.fullmatch(line)))
    ended = children.run_program(Program(source=Source(text=text), instruments=["trace", "doctor"]))
    book, seen = load_pitfalls(), list[Seen]()
    if ended.over.error is not None:
        explained = book.explain(ended.over.error, text, "en", "")
        seen.append(Seen(explained.pitfall if explained else "raised", ended.over.error.line, "error", ended.over.error.message[:80]))
    for record in ended.records:
        if isinstance(record, Diagnosis):
            pitfall = book.pitfalls.get(record.code)
            seen.append(
                Seen(
                    record.code,
                    record.span.line if record.span else None,
                    max(record.severity, pitfall.severity, key=SEVERITIES.index) if pitfall else "?",
                    str(dict(record.values)),
                )
            )
        if isinstance(record, FaultRecord):
            seen.append(Seen("fault", None, "error", record.reason))
    return Scored(path, headers, seen)


def paths_of(corpus: str) -> list[Path]:
    """Return a corpus: "programs" (without near misses), "functions" (the faults), or "correct" (everything that is right)."""
    patterns = {
        "programs": ["programs/*/first.py", "programs/*/second.py"],
        "functions": ["functions/*/fault_*.py"],
        "correct": ["correct/*.py", "functions/*/right.py", "programs/*/near_miss.py"],
    }
    return [path for pattern in patterns[corpus] for path in sorted(FOLDER.glob(pattern))]


def score_all(children: Children, corpus: str) -> Iterator[Scored]:
    for path in paths_of(corpus):
        yield score(children, path)


def main(corpora: list[str]) -> None:
    children = Children()
    for corpus in corpora or ["programs", "functions", "correct"]:
        good = total = 0
        for scored in score_all(children, corpus):
            total += 1
            is_good = scored.is_good(corpus)
            good += is_good
            if not is_good:
                expected = scored.headers.get("pitfall") or scored.headers.get("fault") or ""
                print(f"{scored.name}: expected {expected} in line {scored.headers.get('line')}")
                for each in scored.seen:
                    print(f"    {each.severity} {each.code} {each.line} {each.words[:150]}")
        print(f"{corpus}: {good} of {total}")


if __name__ == "__main__":
    main(sys.argv[1:])
