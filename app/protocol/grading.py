"""A submission: what web asks the runner to grade, and what the grader's child comes to. Words are made by web; here are only codes.

The checks, the solution and the mutants of an exercise are the author's. They are sent to the grader's child and to no other process.
"""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from app.protocol.limits import Limits
from app.protocol.records.gradcheck import GradcheckRecord
from app.protocol.records.record import Label, Line
from app.protocol.run import RunOrder

Name = Annotated[str, msgspec.Meta(max_length=64)]
MARKS = "marks"  # the check that reports what a grade leaves open
CHECKS = 64  # of one exercise
VALUES = 16  # of one message


class Rubric(msgspec.Struct, frozen=True, kw_only=True):
    """What decides a submission. `checks`: the author's checks.py; `solution`: a right one, as a reference; both are Python.

    `functions`: names that the source has to define as a Function with a forward and a backward of its own. `bans`: names that it must not
    use, dotted, as in "torch.exp". `examines`: the name of the learner's own check, in exercises that ask for one; it is then called with
    each of `right`, in which it must find no fault, and each of `mutants`, in which it must find one; these sources define `subject`.
    """

    checks: str = ""
    solution: str = ""
    functions: list[str] = []
    bans: list[str] = []
    examines: str | None = None
    subject: str | None = None
    right: dict[str, str] = {}
    mutants: dict[str, str] = {}


class GradeOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What web asks of the runner: run this, then say whether it solves the exercise.

    The limits of `run` hold for the learner's program, while it is executed and while it is asked; `grader_limits` for the grader's child.
    """

    run: RunOrder
    exercise: Rubric
    grader_limits: Limits = Limits()


class Examination(msgspec.Struct, frozen=True, kw_only=True):
    """What the grader's child is sent: `sources` are the texts of the program, to be read and never executed; `seed` is drawn for it.

    `memory_bytes`, `deadline_seconds`: what the learner's child may use, to be told where that was too little.
    """

    exercise: Rubric
    sources: list[str]
    seed: int
    memory_bytes: int = Limits().memory_bytes
    deadline_seconds: float = Limits().deadline_seconds


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What a check says: a code that web has words for, and the values in them, short and rounded.

    `gradcheck`: the Jacobians that differ, of a check that compared them. `explanation`: what the error that the program raised means, in
    the run's language; the runner sets it, whatever was sent.
    """

    code: Name
    values: Annotated[dict[Name, Label], msgspec.Meta(max_length=VALUES)] = {}
    gradcheck: GradcheckRecord | None = None
    explanation: Label | None = None


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one check. `id`: the author's, or "runs", "functions", "bans", "mutant:ID", "right" or "marks", which any may have.

    `reported`: what the learner's own process says of itself; it is never what a pass rests on. `message`: why it is not passed, or what
    was reported, which is said of a check that is passed, too. `line`: where in the rubric's `checks` it was not passed, for the author.
    """

    id: Name
    passed: bool
    reported: bool = False
    message: Message | None = None
    line: Line | UnsetType = UNSET


class MistakeFault(msgspec.Struct, frozen=True, kw_only=True):
    """An author's function that should say whether a mistake was made raised something of its own. `line`: as in CheckResult."""

    mistake: Name
    message: Label
    line: Line | UnsetType = UNSET


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """`passed`: every check that is not `reported` has passed, and there was one. `mistake`: the id of the mistake that was recognised.

    `faults`: what of the author's mistakes does not work, for the author.
    """

    passed: bool
    checks: Annotated[list[CheckResult], msgspec.Meta(max_length=CHECKS)]
    mistake: Name | None = None
    faults: Annotated[list[MistakeFault], msgspec.Meta(max_length=CHECKS)] | UnsetType = UNSET


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Proves that a submission was kept. `at` is UTC, as ISO 8601; `sha256` is of the source as UTF-8."""

    id: str
    at: str
    sha256: str
