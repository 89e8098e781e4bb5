"""How a run ended, and what a learner is told of it. What the runner knows itself counts more than what the child says."""

import builtins
import signal

import msgspec

from app.locale.messages import mark, translator
from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.channel import Over
from app.protocol.harmless import harmless
from app.protocol.limits import Limits, mebibytes
from app.protocol.outcome import Outcome
from app.protocol.run import Lang, RunError
from app.runner.conversation.child_handle import Exit
from app.runner.conversation.dump import DumpedLine, tells_of_memory
from app.runner.runs.program_lines import ProgramLines
from app.runtimes.failure import raises_memory_error
from app.runtimes.libraries import libraries_here
from app.sandbox.child.child import CONFINEMENT_FAILED

_EXPLANATIONS = {
    "exit": mark("The program ended its own process early, before its last line was reached."),
    "forbidden": mark(
        "The sandbox does not allow this. A lesson may not start other programs, open network connections "
        "or read files outside its scratch folder."
    ),
    "killed": mark("The system ended the program because it used too much memory."),
    "malformed": mark("The program wrote into the channel that carries its results, so its run was ended."),
    "memory": mark("The program needs more memory than the {mebibytes} MiB that it may use. Try smaller tensors."),
    "output": mark(
        "The program printed or displayed more than a run may show. The part that fits is kept; print less, or only every hundredth step."
    ),
    "raised_memory": mark(
        "The program raises MemoryError itself, in this line. That does not show that it used too much: it may use {mebibytes} MiB."
    ),
    "scratch": mark(
        "All files of a program together may take {mebibytes} MiB, in at most {count} files and folders, and the sandbox must be able to "
        "look through them. Keep fewer of them, or smaller ones."
    ),
    "signal": mark(
        "The process was ended by the signal {signal}. The crash is inside compiled code or the interpreter, not a Python exception."
    ),
    "time": mark("The program was still running after {seconds} seconds, so it was stopped. Is there a loop that never ends?"),
}


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    outcome: Outcome
    error: RunError | None = None


def _explain(lang: Lang, name: str, **values: object) -> str:
    return translator(lang)(_EXPLANATIONS[name]).format(**values)


def _failed(outcome: Outcome, kind: str, message: str, place: DumpedLine | None, explanation: str) -> Ending:
    error = RunError(
        type=kind,
        message=message,
        cell=place.cell if place else None,
        line=place.line if place else None,
        explanation=explanation,
    )
    return Ending(outcome=outcome, error=error)


def from_over(over: Over, lines: ProgramLines, limits: Limits, lang: Lang) -> Ending:
    """Return the ending that the child reports. If the report contradicts itself or the program's text, the ending is `malformed`."""
    if over.ending == "finished":
        return Ending(outcome=Outcome.FINISHED) if over.error is None else malformed(lang)
    try:
        error = lines.place_error(over.error) if over.error else None
    except ValueError:
        error = None
    if error is None:
        return malformed(lang)
    error = _harmless(error)
    outcome = Outcome(over.ending) if _may_end_as(error.type, over.ending) else Outcome.RAISED
    return Ending(outcome=outcome, error=_explained(error, outcome, lines.text, limits, lang))


def _explained(error: RunError, outcome: Outcome, program: str, limits: Limits, lang: Lang) -> RunError:
    """Return the error with an explanation: that of a common mistake if one matches, or else that of its outcome."""
    if found := load_pitfalls().explain(error, program, lang, libraries_here(lang)):
        return msgspec.structs.replace(error, explanation=found.text, pitfall=found.pitfall, name=found.name)
    memory = _explain_memory(limits, lang, "raised_memory" if raises_memory_error(error.type, error.traceback) else "memory")
    general = {Outcome.FORBIDDEN: _explain(lang, "forbidden"), Outcome.OUT_OF_MEMORY: memory}
    return msgspec.structs.replace(error, explanation=general.get(outcome))


def _explain_memory(limits: Limits, lang: Lang, name: str = "memory") -> str:
    return _explain(lang, name, mebibytes=mebibytes(limits.memory_bytes))


# The built-in types of exceptions that can cause these endings (app.runtimes.failure).
_MEANING: dict[str, tuple[type[BaseException], ...]] = {"out_of_memory": (MemoryError, OSError, RuntimeError), "forbidden": (OSError,)}


def _may_end_as(name: str, ending: str) -> bool:
    """Return whether an exception of this type can cause `ending`.

    Any type that is not built in can, because its bases are unknown.
    """
    kind = getattr(builtins, name, None)
    return ending not in _MEANING or not (isinstance(kind, type) and issubclass(kind, BaseException)) or issubclass(kind, _MEANING[ending])


def _harmless(error: RunError) -> RunError:
    """Return the child's error with harmless texts and without explanations, which only the runner gives."""
    for frame in error.traceback:
        frame.function = harmless(frame.function)
    return msgspec.structs.replace(
        error, type=harmless(error.type), message=harmless(error.message), explanation=None, pitfall=None, name=None
    )


def timed_out(limits: Limits, place: DumpedLine | None, lang: Lang) -> Ending:
    seconds = f"{limits.deadline_seconds:g}"
    explanation = _explain(lang, "time", seconds=seconds)
    return _failed(Outcome.TIMED_OUT, "TimeLimit", f"still running after {seconds} s", place, explanation)


def too_much_output(lang: Lang) -> Ending:
    return _failed(Outcome.OUTPUT_LIMIT, "OutputLimit", "too much output", None, _explain(lang, "output"))


def too_many_files(limits: Limits, place: DumpedLine | None, lang: Lang) -> Ending:
    explanation = _explain(lang, "scratch", mebibytes=mebibytes(limits.scratch_bytes), count=limits.scratch_inodes)
    return _failed(Outcome.FORBIDDEN, "ScratchLimit", "too many or too large files", place, explanation)


def stopped() -> Ending:
    return Ending(outcome=Outcome.STOPPED)


def malformed(lang: Lang) -> Ending:
    return _failed(Outcome.CRASHED, "Crash", "unreadable results", None, _explain(lang, "malformed"))


def from_exit(end: Exit, words: bytes, cpu_seconds: int, place: DumpedLine | None, limits: Limits, lang: Lang) -> Ending:
    """Return the ending of a process that did not report one. `words`: the end of stderr. `cpu_seconds`: its limit of processor time."""
    if end.oom_killed or (end.status in _ENDS_FOR_MEMORY and tells_of_memory(words)):
        return _killed(place, _explain_memory(limits, lang))
    if end.status == -signal.SIGXCPU or (end.status == -signal.SIGKILL and end.cpu_seconds > cpu_seconds - 0.5):
        return timed_out(limits, place, lang)
    if end.status == -signal.SIGKILL:
        return _killed(place, _explain(lang, "killed"))  # the machine was full
    if end.status == -signal.SIGSYS:
        return _failed(Outcome.FORBIDDEN, "PermissionError", "a forbidden system call", place, _explain(lang, "forbidden"))
    return _crashed(end, place, lang)


# how a process without memory ends: with its own code, by abort, or by a fault, because SIGABRT does not end process 1
_ENDS_FOR_MEMORY = {CONFINEMENT_FAILED, *(-number for number in (signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGILL))}


def _killed(place: DumpedLine | None, explanation: str) -> Ending:
    return _failed(Outcome.OUT_OF_MEMORY, "MemoryError", "killed for its use of memory", place, explanation)


def _crashed(end: Exit, place: DumpedLine | None, lang: Lang) -> Ending:
    if end.status >= 0:
        return _failed(Outcome.CRASHED, "Exit", f"exit status {end.status}", place, _explain(lang, "exit"))
    name = signal.Signals(-end.status).name if -end.status in set(signal.Signals) else str(-end.status)
    return _failed(Outcome.CRASHED, "Crash", f"ended by {name}", place, _explain(lang, "signal", signal=name))
