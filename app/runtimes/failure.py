"""An exception that nobody caught, as the run's ending and its error. Runs in the child.

Only real types are asked (`type(error)`) and only the fields that the interpreter itself keeps are read, since a learner's
exception may lie in `__class__`, hide its `__traceback__` or raise in `__str__`.
"""

import errno
import re
import socket
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from app.protocol.run import Frame, RunError
from app.runtimes.patches.server_paths import without_server_paths
from app.runtimes.plain_text import MESSAGE_CHARACTERS, plain, str_of, type_name
from app.runtimes.positions import LINE_CHARACTERS, Sources

Ending = Literal["finished", "raised", "out_of_memory", "forbidden"]

# What PyTorch's CPU allocator (c10/core/impl/alloc_cpu.cpp), libstdc++, XLA and TensorFlow say when an allocation fails.
_ALLOCATION_TEXTS = (
    "can't allocate memory",
    "DefaultCPUAllocator",
    "std::bad_alloc",
    "not enough memory",
    "RESOURCE_EXHAUSTED",
    "OOM when allocating",
)
# CPython counts a SyntaxError's column in characters, except where its compiler (which gives no text) or this check of
# its tokenizer counts UTF-8 bytes.
_BYTES_COUNTED = "leading zeros in decimal integer literals"
_CONTEXTS = 16


def kept(kind: type[BaseException], name: str, error: BaseException) -> Any:
    """What the interpreter keeps in an exception's field, past anything that a learner's class defines."""
    return kind.__dict__[name].__get__(error)


def describe(error: BaseException, sources: Sources) -> tuple[Ending, RunError | None]:
    """How a run ends by `error`, and the error to report (None when it finished)."""
    ending = classify(error)
    if ending == "finished":
        return ending, None
    frames = sources.traceback(kept(BaseException, "__traceback__", error))
    if issubclass(type(error), SyntaxError):
        frames += syntax_frame(error, sources)
    last = frames[-1] if frames else None
    return ending, RunError(
        type=type_name(error),
        message=message_of(error),
        cell=last.cell if last else None,
        line=last.line if last else None,
        column=last.column if last else None,
        traceback=frames,
    )


def classify(error: BaseException) -> Ending:
    kind = type(error)
    if issubclass(kind, SystemExit):
        return "finished" if exit_status(error) in (None, 0) else "raised"
    if issubclass(kind, MemoryError):
        return "out_of_memory"
    if issubclass(kind, OSError) and kept(OSError, "errno", error) == errno.ENOMEM:
        return "out_of_memory"
    if (issubclass(kind, RuntimeError) or type_name(error) == "ResourceExhaustedError") and any(
        text in str_of(error) for text in _ALLOCATION_TEXTS
    ):
        return "out_of_memory"
    if issubclass(kind, OSError) and (is_from_multiprocessing(error) or any(issubclass(type(cause), _DENIED) for cause in causes(error))):
        return "forbidden"
    return "raised"


def raises_memory_error(kind: str, frames: Sequence[Frame]) -> bool:
    """Whether it is a MemoryError that a line of the program raises. `kind`: the type's name."""
    return kind == "MemoryError" and bool(frames) and re.search(r"\braise\s+MemoryError\b", frames[-1].source) is not None


def lacks_memory(error: BaseException, frames: Sequence[Frame]) -> bool:
    """Whether memory ran out: a MemoryError that a line of the program raises says so only in answer to one that it did not raise."""
    _, *before = causes(error)
    own = raises_memory_error(type_name(error), frames)
    return any(classify(one) == "out_of_memory" for one in (before if own else [error]))


# EPERM and EACCES are what the sandbox answers; EAGAIN comes of the limit on processes, and a name cannot be looked up
# without a socket. An OSError that another library raised because of one of these (URLError) counts alike.
_DENIED = (PermissionError, BlockingIOError, socket.gaierror)


def is_from_multiprocessing(error: BaseException) -> bool:
    """multiprocessing itself raised it: its locks and pipes, made before any process, fail in several ways here."""
    return raising_module(error).startswith("multiprocessing.")


def raising_module(error: BaseException) -> str:
    """The name of the module whose code raised it, or called what did and is not Python; empty when that is not known."""
    trace = kept(BaseException, "__traceback__", error)
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = trace.tb_frame.f_globals.get("__name__") if trace is not None else None
    return name if type(name) is str else ""


def causes(error: BaseException) -> Iterator[BaseException]:
    """The error, then what it was raised from or while handling."""
    current: BaseException | None = error
    for _ in range(_CONTEXTS):
        if current is None:
            return
        yield current
        cause, is_hidden = kept(BaseException, "__cause__", current), kept(BaseException, "__suppress_context__", current)
        current = cause or (None if is_hidden else kept(BaseException, "__context__", current))


def exit_status(error: BaseException) -> int | None:
    """The status of a SystemExit that means success (None or 0), or 1 for any other."""
    code = kept(SystemExit, "code", error)
    return code if code is None or (type(code) in (int, bool) and code == 0) else 1


def message_of(error: BaseException) -> str:
    """`str(error)` and its notes, bounded; of a SyntaxError the text without its place."""
    message = kept(SyntaxError, "msg", error) if issubclass(type(error), SyntaxError) else None
    text = plain(message, MESSAGE_CHARACTERS) if type(message) is str else str_of(error)
    return plain(without_server_paths("\n".join([text, *(str_of(note) for note in notes_of(error))])), MESSAGE_CHARACTERS)


def notes_of(error: BaseException) -> list[Any]:
    try:
        notes = error.__notes__
    except BaseException:
        return []
    return notes[:10] if type(notes) is list else []


def syntax_frame(error: BaseException, sources: Sources) -> list[Frame]:
    """The place of a SyntaxError in one of the learner's sources; nothing when it is in text they compiled themselves."""
    filename, line, offset, shown = (kept(SyntaxError, name, error) for name in ("filename", "lineno", "offset", "text"))
    if type(filename) is not str or filename not in sources:
        return []
    # An error at the end of the input is placed after the last line by CPython: show the last line instead.
    line = min(max(line, 1), max(sources.line_count(filename), 1)) if type(line) is int else None
    text, column = sources.line_text(filename, line), None
    if type(offset) is int and line is not None:
        counts_bytes = shown is None or message_of(error).startswith(_BYTES_COUNTED)
        column = sources.column(filename, line, max(offset - 1, 0)) if counts_bytes else max(offset - 1, 0)
        column = min(column or 0, len(text))
    return [Frame(cell=sources.cell(filename), line=line, column=column, function="<module>", source=plain(text.strip(), LINE_CHARACTERS))]
