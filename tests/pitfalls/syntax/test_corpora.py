"""What the rules find in the doctor's corpora: recall by code, at the right line, and precision."""

import re
from pathlib import Path

from app.pitfalls.syntax.source_rules import find_in_source
from tests.one_test import in_one_test

ROOT = Path(__file__).parents[3]
DOCTOR = ROOT / "tests" / "doctor"
PROGRAMS = sorted((DOCTOR / "programs").iterdir())
RIGHT = [
    *(DOCTOR / "programs").glob("*/near_miss.py"),
    *(DOCTOR / "functions").glob("*/right.py"),
    *(DOCTOR / "correct").glob("*.py"),
]
# Both programs of these are found in their lines; of the others below, the first one.
BOTH = {
    *("backward-returns-nothing", "closure-tensor", "compile-drops-backward", "create-graph-backward", "custom-op-no-autograd"),
    *("data-mutated", "detached-backward", "float32-gradcheck", "forward-called-directly", "forward-returns-container"),
    *("grad-inside-backward", "grad-output-mutated", "gradient-for-non-tensor", "instantiated", "keyword-arguments"),
    *("missing-mark-dirty", "no-functorch", "not-deterministic", "numpy-in-backward", "numpy-in-place", "returned-input-mutated"),
    *(
        "saved-non-tensor",
        "saved-tensors-not-unpacked",
        "saved-twice",
        "saved-variables",
        "tensors-in-container",
        "undefined-gradient",
        "wrong-gradient-count",
    ),
}
FIRST = {"overlapping-memory"}
# Faults of long Functions that are found in their lines.
FAULTS = {
    *("checkpointed_mlp/fault_2", "dropout_residual/fault_2", "fake_quant/fault_1", "gaussian_nll/fault_2", "group_norm/fault_2"),
    *("log_cumsum_exp/fault_2", "matrix_inverse/fault_2", "pairwise_distance/fault_2", "reversible_block/fault_1", "rotary/fault_2"),
    *("soft_quantiser/fault_1", "swiglu/fault_2"),
}
# Lessons show these on purpose: in cells about the mistake, and in starters that are to be mended.
SHOWN = {
    ("backward-twice/cube/cells/cube_numpy.py", "numpy-in-backward"),
    ("backward-twice/guard/cells/cube_cut.py", "detached-backward"),
    ("checking-gradients/gradcheck/cells/single.py", "float32-gradcheck"),
    ("checking-gradients/other-incoming-gradients/cells/changed.py", "grad-output-mutated"),
    ("checking-gradients/other-incoming-gradients/exercises/hypotenuse/starter.py", "grad-output-mutated"),
    ("checking-gradients/other-inputs/cells/outside.py", "closure-tensor"),
    ("checking-gradients/other-inputs/exercises/bend/starter.py", "closure-tensor"),
    ("checking-gradients/review/exercises/soft-clip/starter.py", "grad-output-mutated"),
    ("contract/forward-mode/exercises/product-ratio/starter.py", "no-functorch"),
    ("contract/mark-dirty/cells/unmarked.py", "missing-mark-dirty"),
    ("contract/review/exercises/powers/starter.py", "no-functorch"),
    ("contract/transforms/exercises/sample-gradients/starter.py", "no-functorch"),
    ("myths/functions/exercises/soft-and-mask/starter.py", "no-functorch"),
    ("myths/incoming/exercises/above/starter.py", "grad-output-mutated"),
    ("myths/twice/cells/data.py", "detached-backward"),
    ("myths/twice/exercises/bump/starter.py", "detached-backward"),
    ("other-frameworks/variables/cells/outside_torch.py", "closure-tensor"),
    ("own-functions/backward-returns/cells/leading_none.py", "wrong-gradient-count"),
    ("own-functions/review/cells/rounded.py", "forward-called-directly"),
    ("own-functions/review/cells/which_line.py", "wrong-gradient-count"),
    ("own-functions/review/exercises/three-faults/starter.py", "wrong-gradient-count"),
    ("own-functions/review/exercises/three-faults/starter.py", "forward-called-directly"),
}


def read_header(text: str, key: str) -> str:
    match = re.search(rf"^# {key}: (.+)$", text, re.MULTILINE)
    assert match
    return match[1]


def is_found(program: Path, code: str | None) -> bool:
    """Return whether the pitfall `code`, or any if it is None, is found in the line that the program's header names."""
    text = program.read_text()
    line = int(read_header(text, "line"))
    return any(finding.place.line == line and code in {finding.code, None} for finding in find_in_source(text))


def test_recall_by_code() -> None:
    found = {folder.name: [is_found(folder / f"{name}.py", folder.name) for name in ("first", "second")] for folder in PROGRAMS}
    for code, each in found.items():
        print(f"{code:30}{'  '.join('found' if one else '-' for one in each)}")

    assert {code for code, each in found.items() if each == [True, True]} == BOTH
    assert {code for code, each in found.items() if each == [True, False]} == FIRST
    assert not any(each == [False, True] for each in found.values())


def test_recall_on_long_functions() -> None:
    faults = sorted((DOCTOR / "functions").glob("*/fault_*.py"))
    found = {f"{program.parent.name}/{program.stem}" for program in faults if is_found(program, None)}
    assert found == FAULTS


def test_a_wrong_program_has_no_other_finding() -> None:
    for folder in PROGRAMS:
        for name in ("first", "second"):
            assert {finding.code for finding in find_in_source((folder / f"{name}.py").read_text())} <= {folder.name}


@in_one_test("program", RIGHT)
def test_nothing_is_found_in_a_right_program(program: Path) -> None:
    assert find_in_source(program.read_text()) == []


def test_what_is_found_in_lessons_is_shown_there_on_purpose() -> None:
    lessons = ROOT / "lessons"
    texts = [path for path in lessons.rglob("*.py") if not {"mistakes", "broken"} & set(path.parts)]
    found = {(str(path.relative_to(lessons)), finding.code) for path in texts for finding in find_in_source(path.read_text())}
    assert found == SHOWN
