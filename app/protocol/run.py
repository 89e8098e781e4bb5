"""One run: what web asks for, what happens on the way, and the result. These are the public API's shapes."""

import io
from typing import Annotated, Literal

import msgspec

from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.records.record import Column, Label, Line, Text

Lang = Literal["en", "zh-Hans"]
RuntimeName = Literal["torch", "tensorflow", "jax"]  # app.runtimes.specs says what each is
DEFAULT_RUNTIME: RuntimeName = "torch"


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One cell's Python. `raises`: the exception that its lesson declares. A replayed cell that raises it keeps what it defined before."""

    text: str
    cell: str | None = None
    raises: str | None = None  # the declared exception's type name

    def lines(self) -> list[str]:
        """Return the source's lines with their ends, as CPython counts them."""
        return io.StringIO(self.text, newline=None).readlines()


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """What a sandbox child executes: the cells to replay, in order, then the source whose output is the result.

    If not `executed`, instruments read the source, and nothing runs.
    """

    source: Source
    replay: list[Source] = []
    seed: int = 0
    instruments: list[str] = []  # besides those that are always on
    threads: int = 1
    executed: bool = True


class RunOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What web asks of the runner: a program, its limits, and for whom it counts.

    `unconfined`: web's operator agrees to programs without a sandbox; a runner without a sandbox accepts no other order. `background`: the
    run gives way to everybody. It begins only if nobody needs its place, ends as soon as somebody does, and is charged to nobody.
    `diagnosis`: how much a second run says about what is wrong with the program; "cause" leaves out what to change.
    """

    program: Program
    runtime: RuntimeName = DEFAULT_RUNTIME
    lang: Lang = "en"
    limits: Limits = Limits()
    learner: str = ""
    address: str = ""
    unconfined: bool = False
    background: bool = False
    diagnosis: Literal["none", "cause", "full"] = "full"


class TraceOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What web asks of the runner: to run the program of one of the learner's last runs again, traced and in the background.

    `learner`, `address` and `unconfined` are as in RunOrder.
    """

    run_id: str
    learner: str
    address: str
    unconfined: bool = False


class Frame(msgspec.Struct, kw_only=True):
    """One of the learner's own frames in a traceback; `source` is the line's text, which the runner takes from the program."""

    cell: Label | None
    line: Line | None
    column: Column | None
    function: Label
    source: Label


class RunError(msgspec.Struct, kw_only=True):
    """An exception or limit that ended the program. `explanation`: what it means and what to try, in the run's language.

    `pitfall`: the code of the common mistake behind it (app/pitfalls). `name`: the variable, module or class that the mistake is about.
    """

    type: Label
    message: Text
    cell: Label | None = None
    line: Line | None = None
    column: Column | None = None
    traceback: Annotated[list[Frame], msgspec.Meta(max_length=256)] = []
    explanation: Label | None = None
    pitfall: Label | None = None
    name: Label | None = None


class Timing(msgspec.Struct, kw_only=True):
    queued_ms: float
    run_ms: float
    total_ms: float


class RecordedNote(msgspec.Struct, kw_only=True):
    """What the page says of a recorded result, in the result's language.

    `mark` names the framework and version that it was recorded with; `remedy` says how the cell could be run instead.
    """

    mark: str
    remedy: str


class RunResult(msgspec.Struct, kw_only=True):
    """The result of a run. `records` are JSON, as the runner sent them; app.protocol.records.registry.decode_records makes them typed.

    `recorded`: set only if nothing was run and this is the result that the lesson has recorded.
    """

    id: str
    outcome: Outcome
    error: RunError | None = None
    stdout: str = ""
    stderr: str = ""
    stdout_truncated: bool = False
    stderr_truncated: bool = False
    records: list[msgspec.Raw] = []
    timing: Timing
    seed: int = 0
    runtime: RuntimeName = DEFAULT_RUNTIME
    versions: dict[str, str] = {}
    lang: Lang = "en"
    recorded: RecordedNote | None = None
