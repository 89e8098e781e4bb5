"""Run a program as `python file.py` and Jupyter together would: all sources in one `__main__`, the last expression shown.

Runs in the child. Cells to replay come first, unseen; a replayed cell that raises as its lesson declares keeps what
it defined.
"""

import ast
import builtins
import io
import re
import sys
from contextlib import suppress
from types import CodeType, ModuleType
from typing import Any

from app.protocol.channel import Over
from app.protocol.records.record import Span
from app.protocol.run import Program, RunError, Source
from app.runtimes.failure import Ending, describe
from app.runtimes.instruments.instrument_set import InstrumentSet
from app.runtimes.plain_text import type_name
from app.runtimes.recorder import Recorder
from app.runtimes.runtime import Emit
from app.runtimes.silence import flush_output, ignored_warnings, silence
from app.runtimes.spare_memory import SpareMemory
from app.runtimes.thread_end import FAILED_SECONDS, wait_for_threads

Fault = tuple[Ending, RunError | None]

TITLE_CHARACTERS = 80

# Taken before a learner can replace them.
_compile, _exec, _eval, _parse = compile, exec, eval, ast.parse


class ProgramRun:
    """One program in one fresh `__main__` module."""

    def __init__(self, program: Program, recorder: Recorder, instruments: InstrumentSet) -> None:
        self.program = program
        self.module = ModuleType("__main__")
        self._recorder = recorder
        self._instruments = instruments
        self._spare = SpareMemory()

    def run(self, emit: Emit) -> Over:
        """Replay, run, wait for the program's threads, show what is left, flush."""
        sys.modules["__main__"] = self.module
        sys.argv = [""]
        if "" not in sys.path:
            sys.path.insert(0, "")
        self.module.__dict__["__builtins__"] = sys.modules["builtins"] = own_builtins()
        self._recorder.open(emit)
        self._instruments.begin(self.program.instruments)
        ending, error = self._replay() or self._run_last()
        with suppress(BaseException):
            wait_for_threads(None if error is None else FAILED_SECONDS)
        with suppress(BaseException):  # the program is over: what it left behind cannot end it again
            self._instruments.finish()
        flush_output()
        self._recorder.close()
        return Over(ending=ending, error=error)

    def _replay(self) -> Fault | None:
        """The fault of the first replayed cell that did not end as declared."""
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
            self._spare.release()  # the error's own frames keep alive what filled the memory
            ending, record = describe(error, self._recorder.sources)
            return ending, in_cell(record, self.program.source) if record is not None else None
        return "finished", None

    def _execute(self, source: Source) -> tuple[Any, Span | None, str] | None:
        """Run one source; the value of its trailing expression, if it is one to be shown."""
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


def own_builtins() -> ModuleType:
    """A copy of builtins for the program: what it replaces there must not break us."""
    copy = ModuleType("builtins")
    copy.__dict__.update(builtins.__dict__)
    return copy


def in_cell(error: RunError, source: Source) -> RunError:
    """An error that has no frame of the learner's is still the fault of the cell that was running."""
    if not error.traceback:
        error.cell = source.cell
    return error


def compile_source(text: str, filename: str) -> tuple[CodeType, tuple[CodeType, ast.expr, str] | None]:
    """The code of a source, and its trailing expression apart: its code, tree and text.

    As in Jupyter, an expression that ends in a semicolon is not shown. Raises what `compile` raises.
    """
    if ends_in_statement(text):
        return _compile(text, filename, "exec", dont_inherit=True), None  # half as dear as by way of a tree
    tree = _parse(text, filename)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr) or ends_in_semicolon(text, last):
        return _compile(tree, filename, "exec", dont_inherit=True), None
    tree.body.pop()
    body = _compile(tree, filename, "exec", dont_inherit=True)
    flags = body.co_flags & _FUTURE_FLAGS
    expression = _compile(ast.Expression(last.value), filename, "eval", flags=flags, dont_inherit=True)
    return body, (expression, last.value, title_of(text, last))


def ends_in_statement(text: str) -> bool:
    """Whether the source's last lines tell by themselves that it ends in no expression; false also where they do not tell."""
    starts = [] if _UNCLEAR.search(text) else [match.start() for match in _LINE.finditer(text)]
    try:
        with ignored_warnings():  # which compiling will give
            body = _parse(text[starts[-1] :]).body if starts else []
    except Exception:
        return False
    return bool(body) and not isinstance(body[-1], ast.Expr)


# With what lets a string or a statement go on at the beginning of a line, without a bracket that the parser would miss.
_UNCLEAR = re.compile(r'\\|"""|\'\'\'|[^\S\n ]')
_LINE = re.compile(r"^[^\s#)\]}]", re.MULTILINE)


def _future_flags() -> int:
    import __future__

    return sum({getattr(__future__, name).compiler_flag for name in __future__.all_feature_names} - {0x10})


# 0x10 (CO_NESTED) is the flag of a feature long mandatory, which compile() refuses.
_FUTURE_FLAGS = _future_flags()


def ends_in_semicolon(text: str, node: ast.Expr) -> bool:
    line = node_line(text, node.end_lineno)
    return line.encode("utf-8", "surrogatepass")[node.end_col_offset or 0 :].lstrip().startswith(b";")


def title_of(text: str, node: ast.Expr) -> str:
    """The expression as typed, when it is short and on one line."""
    if node.lineno != node.end_lineno:
        return ""
    line = node_line(text, node.lineno).encode("utf-8", "surrogatepass")
    title = line[node.col_offset : node.end_col_offset].decode("utf-8", "replace")
    return title if len(title) <= TITLE_CHARACTERS else ""


def node_line(text: str, line: int | None) -> str:
    lines = io.StringIO(text, newline=None).readlines()
    return lines[line - 1] if line is not None and line <= len(lines) else ""
