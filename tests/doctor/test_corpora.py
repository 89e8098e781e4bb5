"""The two corpora by which the doctor is judged: Functions of real projects with seeded faults, and correct Functions of all kinds.

The programs are run in one process, each in a namespace of its own. That their gradients are right, or wrong as their headers say,
was found with finite differences and second implementations when they were written; here it is only seen that they still run.
"""

import ast
import re
import warnings
from pathlib import Path

import pytest
import torch

from tests.one_test import in_one_test

FOLDER = Path(__file__).parent
FUNCTIONS = sorted((FOLDER / "functions").iterdir())
CORRECT = sorted((FOLDER / "correct").glob("*.py"))
RIGHT = [folder / "right.py" for folder in FUNCTIONS]
FAULTY = [folder / f"fault_{number}.py" for folder in FUNCTIONS for number in (1, 2)]

HEADER = re.compile(r"# (\w+): (.+)")
KEBAB = re.compile(r"[a-z]+(-[a-z]+)*")
INTENDED = {"cleaned", "clipped", "reversed", "scaled", "stopped", "surrogate"}
FUNCTION_LINES = range(30, 121)
PROGRAM_LINES = range(10, 61)


def read_headers(program: Path) -> dict[str, str]:
    """The `# key: value` comments that a program opens with."""
    headers = {}
    for line in program.read_text().splitlines():
        if not line.startswith("#"):
            break
        if match := HEADER.fullmatch(line):
            headers[match[1]] = match[2]
    return headers


def find_classes(program: Path) -> list[ast.ClassDef]:
    return [node for node in ast.walk(ast.parse(program.read_text())) if isinstance(node, ast.ClassDef)]


def find_function(program: Path) -> ast.ClassDef:
    """The Function of a program of `functions`: the one class with a backward."""
    (found,) = (
        node for node in find_classes(program) if any(isinstance(part, ast.FunctionDef) and part.name == "backward" for part in node.body)
    )
    return found


def run_program(program: Path) -> None:
    """Run a program as a script would be run; a warning is an exception."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(program.read_text(), str(program), "exec"), {"__name__": "__main__", "__file__": str(program)})


@pytest.fixture(autouse=True)
def _restored_random_state() -> object:
    with torch.random.fork_rng(devices=[]):
        yield


def name_of(program: Path) -> str:
    return program.stem if program.parent.name == "correct" else f"{program.parent.name}-{program.stem}"


def test_corpora_are_complete() -> None:
    assert len(FUNCTIONS) == 30
    assert len(CORRECT) == 150
    assert all({path.name for path in folder.glob("*.py")} == {"right.py", "fault_1.py", "fault_2.py"} for folder in FUNCTIONS)


@in_one_test("program", FAULTY)
def test_fault_is_described(program: Path) -> None:
    headers = read_headers(program)

    assert headers.keys() - {"intended"} == {"fault", "line", "order"}
    assert KEBAB.fullmatch(headers["fault"])
    assert headers["order"] in {"1", "2"}
    function = find_function(program)
    line = int(headers["line"])
    assert function.lineno < line <= (function.end_lineno or 0)
    text = program.read_text().splitlines()[line - 1]
    assert text.strip() and not text.strip().startswith("#")


@pytest.mark.parametrize("folder", FUNCTIONS, ids=lambda folder: folder.name)
def test_faults_of_a_function_are_of_different_classes_and_change_little(folder: Path) -> None:
    first, second = (folder / "fault_1.py", folder / "fault_2.py")
    assert read_headers(first)["fault"] != read_headers(second)["fault"]

    right = (folder / "right.py").read_text().splitlines()
    for program in (first, second):
        added = [line for line in program.read_text().splitlines() if line not in right and not HEADER.fullmatch(line)]
        assert len(added) <= 12


@in_one_test("program", RIGHT)
def test_function_is_as_long_as_those_of_projects(program: Path) -> None:
    function = find_function(program)

    assert (function.end_lineno or 0) - function.lineno + 1 in FUNCTION_LINES
    assert read_headers(program).keys() <= {"intended"}


@in_one_test("program", CORRECT)
def test_correct_program_is_described(program: Path) -> None:
    headers = read_headers(program)

    assert headers.keys() <= {"intended"}
    assert set(headers.values()) <= INTENDED
    assert len(program.read_text().splitlines()) in PROGRAM_LINES
    assert ".backward(" in program.read_text() and ".apply" in program.read_text()


@pytest.mark.parametrize("program", [*CORRECT, *RIGHT], ids=name_of)
def test_right_program_runs_without_a_warning(program: Path) -> None:
    run_program(program)


@pytest.mark.parametrize("program", FAULTY, ids=name_of)
def test_faulty_program_runs_and_pytorch_says_nothing(program: Path) -> None:
    run_program(program)
