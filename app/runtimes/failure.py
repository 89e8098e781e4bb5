"""Turns an uncaught exception into the run's ending and its error. Runs in the child.

Only `type(error)` and the interpreter's own fields are read, since a learner's exception may have a false `__class__`, hide its
`__traceback__` or raise in `__str__`.
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
# CPython counts a SyntaxError's column in characters. Its compiler, whose errors have no text, and the check of its tokenizer
# with this message count UTF-8 bytes.
_BYTES_COUNTED = "leading zeros in decimal integer literals"
_CONTEXTS = 16  # the longest chain of causes that is followed


def read_field(kind: type[BaseException], name: str, error: BaseException) -> Any:
    """Return the field `name` of an exception as the built-in class `kind` defines it, even if a learner's class overrides the name."""
    return kind.__dict__[name].__get__(error)


def describe(error: BaseException, sources: Sources) -> tuple[Ending, RunError | None]:
    """Return the ending of a run that raised `error`, and the error to report: None for a SystemExit that means success."""
    ending = classify(error)
    if ending == "finished":
        return ending, None
    frames = sources.traceback(read_field(BaseException, "__traceback__", error))
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
    """Return the ending of a run that raised `error`."""
    kind = type(error)
    if issubclass(kind, SystemExit):
        code = read_field(SystemExit, "code", error)
        return "finished" if code is None or (type(code) in (int, bool) and code == 0) else "raised"
    if issubclass(kind, MemoryError):
        return "out_of_memory"
    if issubclass(kind, OSError) and read_field(OSError, "errno", error) == errno.ENOMEM:
        return "out_of_memory"
    if (issubclass(kind, RuntimeError) or type_name(error) == "ResourceExhaustedError") and any(
        text in str_of(error) for text in _ALLOCATION_TEXTS
    ):
        return "out_of_memory"
    if issubclass(kind, OSError) and (is_from_multiprocessing(error) or any(issubclass(type(cause), _DENIED) for cause in causes(error))):
        return "forbidden"
    return "raised"


def raises_memory_error(kind: str, frames: Sequence[Frame]) -> bool:
    """Return whether the program itself raised a MemoryError, by a `raise` statement. `kind` is the name of the exception's type."""
    return kind == "MemoryError" and bool(frames) and re.search(r"\braise\s+MemoryError\b", frames[-1].source) is not None


def lacks_memory(error: BaseException, frames: Sequence[Frame]) -> bool:
    """Return whether `error` shows that memory ran out.

    A MemoryError that the program itself raised shows nothing. Then the exceptions that led to it decide.
    """
    _, *before = causes(error)
    own = raises_memory_error(type_name(error), frames)
    return any(classify(one) == "out_of_memory" for one in (before if own else [error]))


# The sandbox makes calls fail with EPERM or EACCES, the limit on processes with EAGAIN, and without a socket no name can be looked up. An
# OSError that a library raised because of one of these (URLError) is classified in the same way.
_DENIED = (PermissionError, BlockingIOError, socket.gaierror)


def is_from_multiprocessing(error: BaseException) -> bool:
    """Return whether multiprocessing raised the error.

    It makes locks and pipes before it starts a process. In the sandbox these already fail, with different errors.
    """
    return raising_module(error).startswith("multiprocessing.")


def raising_module(error: BaseException) -> str:
    """Return the name of the module whose Python code was running when the error was raised; an empty string if it is not known."""
    trace = read_field(BaseException, "__traceback__", error)
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    name = trace.tb_frame.f_globals.get("__name__") if trace is not None else None
    return name if type(name) is str else ""


def causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error, then the exceptions that led to it (`__cause__`, or else `__context__`), the latest first."""
    current: BaseException | None = error
    for _ in range(_CONTEXTS):
        if current is None:
            return
        yield current
        cause, is_hidden = read_field(BaseException, "__cause__", current), read_field(BaseException, "__suppress_context__", current)
        current = cause or (None if is_hidden else read_field(BaseException, "__context__", current))


def message_of(error: BaseException) -> str:
    """Return `str(error)` and its notes, cut to MESSAGE_CHARACTERS.

    For a SyntaxError, the field `msg` replaces `str(error)`, because it does not repeat the position.
    """
    message = read_field(SyntaxError, "msg", error) if issubclass(type(error), SyntaxError) else None
    text = plain(message, MESSAGE_CHARACTERS) if type(message) is str else str_of(error)
    return plain(without_server_paths("\n".join([text, *(str_of(note) for note in notes_of(error))])), MESSAGE_CHARACTERS)


def notes_of(error: BaseException) -> list[Any]:
    try:
        notes = error.__notes__
    except BaseException:
        return []
    return notes[:10] if type(notes) is list else []


def syntax_frame(error: BaseException, sources: Sources) -> list[Frame]:
    """Return a list with the position of a SyntaxError as a frame; an empty list if the error is not in one of the learner's sources."""
    filename, line, offset, shown = (read_field(SyntaxError, name, error) for name in ("filename", "lineno", "offset", "text"))
    if type(filename) is not str or filename not in sources:
        return []
    # CPython places an error at the end of the input after the last line: show the last line instead.
    line = min(max(line, 1), max(sources.line_count(filename), 1)) if type(line) is int else None
    text, column = sources.line_text(filename, line), None
    if type(offset) is int and line is not None:
        counts_bytes = shown is None or message_of(error).startswith(_BYTES_COUNTED)
        column = sources.column(filename, line, max(offset - 1, 0)) if counts_bytes else max(offset - 1, 0)
        column = min(column or 0, len(text))
    return [Frame(cell=sources.cell(filename), line=line, column=column, function="<module>", source=plain(text.strip(), LINE_CHARACTERS))]
