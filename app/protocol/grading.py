"""A submission: what web asks the runner to grade, and the verdict of the grader's child.

A verdict contains codes, which web puts into words.

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
MARKS = "marks"  # the check that reports lines which make it unclear how the program computes its results
CHECKS = 64  # the most checks of one exercise
VALUES = 16  # the most values in one message


class Rubric(msgspec.Struct, frozen=True, kw_only=True):
    """What decides a submission. `checks`: the author's checks.py. `solution`: a correct solution, for reference. Both are Python.

    `functions`: names that the source has to define as a Function with a forward and a backward of its own. `bans`: dotted names that the
    source must not use, such as "torch.exp". `examines`: the name of the learner's own check, in exercises that ask for one. `subject`: the
    name of the function that this check judges. Each source in `right` and `mutants` defines one; the check must accept those of `right`
    and reject those of `mutants`.
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
    """What web asks of the runner: to run a program, and then to decide whether it solves the exercise.

    The limits of `run` hold for the learner's program, while it is executed and while it answers questions. `grader_limits` hold for the
    grader's child.
    """

    run: RunOrder
    exercise: Rubric
    grader_limits: Limits = Limits()


class Examination(msgspec.Struct, frozen=True, kw_only=True):
    """What the grader's child is sent. `sources`: the texts of the program, which it reads and never executes.

    `seed`: drawn for this grading. `memory_bytes`, `deadline_seconds`: the limits of the learner's child, which a message names if they
    were too little.
    """

    exercise: Rubric
    sources: list[str]
    seed: int
    memory_bytes: int = Limits().memory_bytes
    deadline_seconds: float = Limits().deadline_seconds


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What a check says: a code that web has words for, and the values in these words, short and rounded.

    `gradcheck`: if the check compared Jacobians, those that differ. `explanation`: what the exception that the program raised means, in the
    run's language. The runner sets it and ignores what was sent.
    """

    code: Name
    values: Annotated[dict[Name, Label], msgspec.Meta(max_length=VALUES)] = {}
    gradcheck: GradcheckRecord | None = None
    explanation: Label | None = None


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one check.

    `id`: the author's, or one that any exercise may have: "runs", "functions", "bans", "mutant:ID", "right", "marks".

    `reported`: the check repeats what the learner's own process says of itself, so whether the submission passes never depends on it.
    `message`: why the check is not passed; of a reported check, what was reported, even if it is passed. `line`: for the author, the line
    in the rubric's `checks` where it was not passed.
    """

    id: Name
    passed: bool
    reported: bool = False
    message: Message | None = None
    line: Line | UnsetType = UNSET


class MistakeFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault in the author's function that recognises a mistake: it raised an exception of its own. `line`: as in CheckResult."""

    mistake: Name
    message: Label
    line: Line | UnsetType = UNSET


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on a submission. `passed`: there is a check that is not `reported`, and all such checks have passed.

    `mistake`: the id of the mistake that was recognised. `faults`: for the author, which functions that recognise mistakes do not work.
    """

    passed: bool
    checks: Annotated[list[CheckResult], msgspec.Meta(max_length=CHECKS)]
    mistake: Name | None = None
    faults: Annotated[list[MistakeFault], msgspec.Meta(max_length=CHECKS)] | UnsetType = UNSET


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Proves that a submission was stored. `at` is UTC, as ISO 8601; `sha256` is of the source as UTF-8."""

    id: str
    at: str
    sha256: str
