"""The programs that show each pitfall: two that make the mistake and a near miss that only looks like it.

The first lines of a program are comments that say what is right to say about it; the rest is as a learner would have written it.
"""

import ast
import contextlib
import io
import sys
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from tests.one_test import in_one_test

PROGRAMS = Path(__file__).parent / "programs"
CODES = [
    *("intermediate-saved", "forward-called-directly", "instantiated", "wrong-gradient-count", "gradient-for-non-tensor"),
    *("backward-returns-nothing", "forward-returns-container", "tensors-in-container", "grad-output-mutated", "ctx-input-mutated"),
    *("data-mutated", "output-on-ctx", "kept-after-backward", "missing-mark-dirty", "numpy-in-place", "mark-dirty-misused"),
    *("returned-input-mutated", "float32-gradcheck", "numpy-in-backward", "detached-backward", "surrogate-gradient"),
    *("once-differentiable", "saved-variables", "keyword-arguments", "nonlinear-in-grad-output", "assumes-contiguous"),
    *("below-tolerance", "closure-tensor", "ignores-grad-output", "not-deterministic", "overlapping-memory", "kink"),
    *("saved-tensors-not-unpacked", "saved-twice", "saved-non-tensor", "undefined-gradient", "wrong-dtype", "wrong-shape"),
    *("no-functorch", "grad-inside-backward", "custom-op-no-autograd", "create-graph-backward", "backward-twice", "not-a-scalar"),
    *("detached-backward-call", "non-leaf-grad", "option-ignored-in-backward", "auxiliary-output-unmarked"),
    *("compile-drops-backward", "grad-accumulated"),
]
# Mistakes in how a Function is called or its result is used: the class itself is right, or (custom-op) there is none.
OUTSIDE_THE_CLASS = {
    *("forward-called-directly", "instantiated", "float32-gradcheck", "overlapping-memory", "kink", "custom-op-no-autograd"),
    *("create-graph-backward", "backward-twice", "not-a-scalar", "detached-backward-call", "non-leaf-grad"),
    *("compile-drops-backward", "grad-accumulated"),
}
# `.data` is changed where the Function is called.
OUTSIDE_IN_ONE = {("data-mutated", "second")}
WRONG, NEAR_MISS = ("first", "second"), "near_miss"
HEADERS = {name: ["pitfall", "line", "silent", "seen"] for name in WRONG} | {NEAR_MISS: ["near miss of", "silent", "seen"]}


@dataclass(frozen=True)
class ShownProgram:
    code: str
    name: str
    source: str

    @property
    def header(self) -> dict[str, str]:
        """The keys and values of the leading comments, in their order."""
        lines = self.source.splitlines()[: len(HEADERS[self.name])]
        return dict(line.removeprefix("# ").split(": ", 1) for line in lines)

    @property
    def is_loud(self) -> bool:
        return self.header["silent"] == "no"


def load_program(code: str, name: str) -> ShownProgram:
    return ShownProgram(code, name, (PROGRAMS / code / f"{name}.py").read_text())


def list_programs(*names: str) -> list[tuple[str, str]]:
    return [(code, name) for code in CODES for name in names]


def test_every_row_has_three_programs_and_no_program_is_without_a_row() -> None:
    found = {(path.parent.name, path.stem) for path in PROGRAMS.rglob("*.py")}
    assert found == {(code, name) for code in CODES for name in HEADERS}
    assert len(CODES) == len(set(CODES))


@in_one_test(("code", "name"), list_programs(*HEADERS))
def test_a_header_is_well_formed(code: str, name: str) -> None:
    header = load_program(code, name).header
    assert list(header) == HEADERS[name]
    assert header[HEADERS[name][0]] == code
    assert header["silent"] in ({"yes", "no"} if name in WRONG else {"yes"})
    assert header["seen"].endswith(".")


@in_one_test(("code", "name"), list_programs(*WRONG))
def test_the_line_named_is_a_line_of_the_class(code: str, name: str) -> None:
    program = load_program(code, name)
    line = int(program.header["line"])
    statement = program.source.splitlines()[line - 1].strip()
    assert statement and not statement.startswith("#")
    outside = code in OUTSIDE_THE_CLASS or (code, name) in OUTSIDE_IN_ONE
    assert is_in_a_function_class(program.source, line) != outside


def is_in_a_function_class(source: str, line: int) -> bool:
    classes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    functions = [node for node in classes if any(ast.unparse(base).endswith("Function") for base in node.bases)]
    return any(node.lineno <= line <= (node.end_lineno or 0) for node in functions)


@pytest.mark.parametrize(("code", "name"), list_programs(NEAR_MISS))
def test_a_near_miss_runs_without_a_word(code: str, name: str) -> None:
    run(load_program(code, name))


@pytest.mark.parametrize(("code", "name"), [(code, name) for code in CODES for name in WRONG if load_program(code, name).is_loud])
def test_a_loud_program_raises_or_warns(code: str, name: str) -> None:
    with pytest.raises((Exception, Warning)):
        run(load_program(code, name))


def run(program: ShownProgram) -> None:
    """Run it as a main program in this process; a warning that Python would show is raised."""
    main = types.ModuleType("__main__")
    code = compile(program.source, f"{program.code}/{program.name}.py", "exec")
    with as_main(main), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), warnings_every_time():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=DeprecationWarning)
        warnings.filterwarnings("error", category=DeprecationWarning, module="__main__")
        exec(code, vars(main))


@contextlib.contextmanager
def as_main(module: types.ModuleType) -> Iterator[None]:
    before = sys.modules["__main__"]
    sys.modules["__main__"] = module
    try:
        yield
    finally:
        sys.modules["__main__"] = before


@contextlib.contextmanager
def warnings_every_time() -> Iterator[None]:
    """PyTorch gives some warnings once a process."""
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        yield
    finally:
        torch.set_warn_always(before)
