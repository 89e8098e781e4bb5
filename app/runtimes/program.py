"""Runs a program: all its sources in one `__main__`, as `python file.py` would, and shows the last expression, as Jupyter would.

Runs in the child. Cells to be replayed are executed first, with nothing shown. If a replayed cell raises what its lesson declares, the
program continues.
"""

import builtins
import mmap
import sys
import threading
import time
from contextlib import suppress
from types import ModuleType
from typing import Any

from app.protocol.channel import Over
from app.protocol.records.record import Span
from app.protocol.run import Program, RunError, Source
from app.runtimes.compile_source import compile_source
from app.runtimes.failure import Ending, describe
from app.runtimes.instruments.instrument_set import InstrumentSet
from app.runtimes.plain_text import type_name
from app.runtimes.recorder import Recorder
from app.runtimes.runtime import Emit
from app.runtimes.silence import flush_output, silence

Fault = tuple[Ending, RunError | None]

FAILED_SECONDS = 1.0  # the threads of a program that has raised may run for so long, because its error should be shown soon
_SPARE_BYTES = 8 * 1024 * 1024  # eight of CPython's arenas

# Taken before a learner can replace them.
_exec, _eval = exec, eval
_current_thread, _list_threads = threading.current_thread, threading.enumerate


class ProgramRun:
    """One program in one fresh `__main__` module."""

    def __init__(self, program: Program, recorder: Recorder, instruments: InstrumentSet) -> None:
        self.program = program
        self.module = ModuleType("__main__")
        self._recorder = recorder
        self._instruments = instruments
        self._spare = SpareMemory()

    def run(self, emit: Emit) -> Over:
        """Execute the program, wait for its threads, and let the instruments finish. Return how the program ended."""
        sys.modules["__main__"] = self.module
        sys.argv = [""]
        if "" not in sys.path:
            sys.path.insert(0, "")
        own_builtins = ModuleType("builtins")  # a copy, so that what the program replaces there does not affect our own code
        own_builtins.__dict__.update(builtins.__dict__)
        self.module.__dict__["__builtins__"] = sys.modules["builtins"] = own_builtins
        self._recorder.open(emit)
        self._instruments.begin(self.program.instruments)
        if self.program.executed:
            ending, error = self._replay() or self._run_last()
        else:
            ending, error = self._read()
        with suppress(BaseException):
            wait_for_threads(None if error is None else FAILED_SECONDS)
        with suppress(BaseException):  # the program has ended: nothing that its threads raise changes that
            self._instruments.finish(error)
        flush_output()
        self._recorder.close()
        return Over(ending=ending, error=error)

    def _read(self) -> Fault:
        self._recorder.sources.register(self.program.source)
        self._recorder.showing = True
        return "finished", None

    def _replay(self) -> Fault | None:
        """Execute the cells to be replayed. Return the ending and error of the first undeclared failure, or None."""
        if not self.program.replay:
            return None
        with silence():
            for source in self.program.replay:
                try:
                    self._execute(source)
                except BaseException as error:
                    if type_name(error) == source.raises:
                        continue
                    self._spare.release()
                    ending, record = describe(error, self._recorder.sources)
                    if record is not None:
                        return ending, in_cell(record, source)
            self._instruments.replayed()
        return None

    def _run_last(self) -> Fault:
        self._recorder.showing = True
        try:
            value = self._execute(self.program.source)
            if value is not None:
                self._instruments.show(*value)
        except BaseException as error:
            self._spare.release()  # the error's frames keep the objects alive that filled the memory
            ending, record = describe(error, self._recorder.sources)
            return ending, in_cell(record, self.program.source) if record is not None else None
        return "finished", None

    def _execute(self, source: Source) -> tuple[Any, Span | None, str] | None:
        """Execute one source. Return the value, position and text of its trailing expression; None if there is nothing to show."""
        filename = self._recorder.sources.register(source)
        self.module.__file__ = filename
        body, last = compile_source(source.text, filename)
        _exec(body, self.module.__dict__)
        if last is None:
            return None
        code, node, title = last
        value = _eval(code, self.module.__dict__)
        if value is None:
            return None
        span = self._recorder.sources.span(filename, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
        return value, span, title


def in_cell(error: RunError, source: Source) -> RunError:
    """Return the error. If it has no frame of the learner's own, attribute it to the cell of `source`, which was running."""
    if not error.traceback:
        error.cell = source.cell
    return error


class SpareMemory:
    """Memory reserved for reporting how a program ended, in case the program has used up all of its memory.

    The memory is mapped but never touched: it counts against the child's limit, but occupies no page. If too little memory is left, nothing
    is reserved.
    """

    def __init__(self) -> None:
        try:
            self._mapping: mmap.mmap | None = mmap.mmap(-1, _SPARE_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        except OSError:
            self._mapping = None

    def release(self) -> None:
        if self._mapping:
            self._mapping.close()
            self._mapping = None


def wait_for_threads(at_most_seconds: float | None = None) -> None:
    """Wait for the program's threads, except daemons, so that the learner sees what they print.

    Waits at most `at_most_seconds`, or without limit if that is None. The interpreter itself waits by threading._shutdown, which works only
    once in a process, and the warm-up needs it, too.
    """
    if not _other_threads():
        return
    for end in reversed(getattr(threading, "_threading_atexits", [])):  # ends the workers of thread pools
        end()
    end_time = None if at_most_seconds is None else time.monotonic() + at_most_seconds
    while (others := _other_threads()) and (end_time is None or time.monotonic() < end_time):
        others[0].join(None if end_time is None else max(end_time - time.monotonic(), 0.0))


def _other_threads() -> list[threading.Thread]:
    current = _current_thread()
    return [thread for thread in _list_threads() if thread is not current and not thread.daemon]
