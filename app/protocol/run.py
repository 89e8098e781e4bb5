"""One run: what is asked for, what happens on the way, and what comes of it. The public API's shapes."""

from typing import Annotated, Any, Literal

import msgspec

from app.protocol.display import Column, Display, Label, Line
from app.protocol.limits import Limits
from app.protocol.outcome import Outcome

Lang = Literal["en", "zh-Hans"]
RuntimeName = Literal["torch", "tensorflow", "jax"]
Seed = Annotated[int, msgspec.Meta(ge=0, le=2**32 - 1)]
CellId = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
LessonPath = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$", max_length=129)]


class RunRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of `POST /api/runs`."""

    source: str
    runtime: RuntimeName | None = None
    lesson: LessonPath | None = None
    cell: CellId | None = None
    sources: Annotated[dict[CellId, str], msgspec.Meta(max_length=64)] = {}
    seed: Seed = 0
    instruments: Annotated[list[str], msgspec.Meta(max_length=32)] | None = None
    lang: Lang | None = None


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One cell's Python. A replayed cell that `raises` as its lesson declares keeps what it defined."""

    text: str
    cell: str | None = None
    raises: str | None = None  # the declared exception's type name


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """What a sandbox child executes: the cells to replay, in order, then the source whose output is the result."""

    source: Source
    replay: list[Source] = []
    seed: int = 0
    instruments: list[str] | None = None
    threads: int = 1


class RunOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What web asks of the runner: a program, its limits, and for whom it counts.

    `unconfined`: web's own operator has agreed to programs without a sandbox; a runner that has none takes no other order.
    """

    program: Program
    runtime: RuntimeName = "torch"
    lang: Lang = "en"
    limits: Limits = Limits()
    learner: str = ""
    address: str = ""
    unconfined: bool = False


class Frame(msgspec.Struct, kw_only=True):
    """One of the learner's own frames in a traceback; `source` is the line's text."""

    cell: Label | None
    line: Line | None
    column: Column | None
    function: Label
    source: Label


class RunError(msgspec.Struct, kw_only=True):
    type: Label
    message: Annotated[str, msgspec.Meta(max_length=65_536)]
    cell: Label | None = None
    line: Line | None = None
    column: Column | None = None
    traceback: Annotated[list[Frame], msgspec.Meta(max_length=256)] = []
    explanation: Label | None = None


class Diagnosis(msgspec.Struct, kw_only=True):
    code: str
    severity: Literal["error", "warning", "hint"]
    cell: str | None = None
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    message: str
    lesson: str | None = None


class Timing(msgspec.Struct, kw_only=True):
    queued_ms: float
    run_ms: float
    total_ms: float


class RunResult(msgspec.Struct, kw_only=True):
    id: str
    outcome: Outcome
    error: RunError | None = None
    stdout: str = ""
    stderr: str = ""
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    displays: list[Display] = []
    functions: list[dict[str, Any]] = []
    diagnoses: list[Diagnosis] = []
    timing: Timing
    seed: int = 0
    runtime: RuntimeName = "torch"
    versions: dict[str, str] = {}
    lang: Lang = "en"
