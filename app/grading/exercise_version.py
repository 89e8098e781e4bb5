"""The version of an exercise: a hash of everything that decides whether a submission passes.

Two attempts with the same version were graded by the same checks. The texts of the task are not hashed, because a mended sentence does not
change a verdict.
"""

from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import msgspec

from app.grading.grade_order import make_rubric
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Lesson

APP = Path(__file__).parent.parent
GRADER = ("protocol/calls.py", "protocol/grading.py", "runner/grading", "runtimes/torch/calls", "runtimes/torch/grading")
encoder = msgspec.json.Encoder(order="sorted")


def hash_exercise(lesson: Lesson, exercise: Exercise) -> str:
    """Return the SHA-256 hash, in hexadecimal, of an exercise, its checks, the cells that run before it, and the grader."""
    replay = [(name, cell.source) for name in exercise.after if (cell := lesson.cell(name)) is not None]
    facts = (lesson.runtime, make_rubric(exercise), exercise.checks, exercise.asks, replay, hash_grader())
    return sha256(encoder.encode(facts)).hexdigest()


@cache
def hash_grader() -> str:
    """Return the hash of the grader's own code and of the version of PyTorch."""
    digest = sha256(version("torch").encode())
    for file in sorted(file for part in GRADER for file in list_modules(APP / part)):
        digest.update(f"\n{file.relative_to(APP).as_posix()}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def list_modules(part: Path) -> list[Path]:
    return list(part.rglob("*.py")) if part.is_dir() else [part]
