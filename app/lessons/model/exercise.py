"""An exercise as data: what the learner starts from, what decides whether it is solved, and the words for all of it."""

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec

from app.protocol.run import Lang

Kind = Literal["blank", "fix", "write", "test"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class CheckFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One check of checks.py, in the order in which it is made there. A hidden one is counted and not named."""

    id: str
    hidden: bool = False


class Promise(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the task that a check holds, and the program in broken/ that this check alone refuses.

    `words`: the English sentence, or a part of it. `check`: the check's id; "functions" or "bans" where the exercise's rule of that name
    holds it; None where the sentence is about what the learner is given.
    """

    id: str
    words: str
    check: str | None


def go_on(program: str, starter: str) -> str:
    """What a step begins with: the program of the step before, then what is new. components/tasks/exercise-step.js does the same."""
    return f"{program.rstrip()}\n\n\n{starter}"


class ExerciseText(msgspec.Struct, frozen=True, kw_only=True):
    """The words in one language: finished HTML, but `title` and the titles of `checks`, which are plain text."""

    title: str
    html: str
    hints: tuple[str, ...]
    mistakes: Mapping[str, str]  # id → what is said of it
    checks: Mapping[str, str]  # id → title, of those that are not hidden
    mutants: Mapping[str, str] = {}  # id → what it does wrong, told when the learner's check let it through
    after: str = ""  # said when it is solved


class Exercise(msgspec.Struct, frozen=True, kw_only=True):
    """It runs in the lesson's runtime, within limits of which `asks` has those that it or its lesson asks for.

    `after`: cells that are replayed before the submission. `continues`: the exercise from whose program this one goes on; then `starter`
    holds only what is new, and all other programs are whole.
    `mistakes`: id → a program that triggers it. `solutions`: name → source, all of them right; "solution" is the one that is shown.
    `promises`: what the task promises; `broken`: id of a promise → the program that breaks it and nothing else.
    `common_lines`: so many lines of `checks_source` are of common.py; those of checks.py follow.
    `functions`, `bans`, `subject`, `examines`, `right`, `mutants`: as in app.protocol.grading.Rubric.
    """

    id: str
    kind: Kind
    filename: str
    line: int = 1
    continues: str | None = None
    after: tuple[str, ...] = ()
    asks: Mapping[str, float] = {}
    starter: str
    solutions: Mapping[str, str]
    checks_source: str = ""
    common_lines: int = 0
    checks: tuple[CheckFacts, ...] = ()
    mistakes: Mapping[str, str] = {}
    promises: tuple[Promise, ...] = ()
    broken: Mapping[str, str] = {}
    functions: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    examines: str | None = None
    subject: str | None = None
    right: Mapping[str, str] = {}
    mutants: Mapping[str, str] = {}
    texts: Mapping[Lang, ExerciseText] = {}

    @property
    def solution(self) -> str:
        return self.solutions["solution"]
