"""A cheat: a program of tests/grading/cheats/programs, its exercise, and the one defence without which it would pass."""

from pathlib import Path
from typing import NamedTuple

from app.protocol.grading import Rubric
from tests.grading.cheats.exercises import example, exp, own_check, single, square

PROGRAMS = Path(__file__).parent / "programs"
EXERCISES = {"square": square, "exp": exp, "check": own_check}


class Cheat(NamedTuple):
    """A cheat. `without` is the defence that the program's second line names."""

    name: str
    exercise: Rubric
    without: str
    source: str

    @property
    def path(self) -> Path:
        return PROGRAMS / f"{self.name}.py"

    def weakened(self) -> Rubric:
        """Return the exercise without the defence against this cheat, if that is a part of the exercise."""
        kind, _, names = self.without.partition(" ")
        match kind, names:
            case "bans", "":
                return exp("bans")
            case "functions", "":
                return square("functions")
            case "check", _:
                return square(*names.split(", "))
            case "drawn", "inputs":
                return example()
            case "double", "precision":
                return single()
            case "right", "and wrong":
                return own_check(right=self.name != "refuses_everything", wrong=self.name == "refuses_everything")
        raise ValueError(self.without)


def load_cheats() -> list[Cheat]:
    return [load_cheat(path) for path in sorted(PROGRAMS.glob("*.py"))]


def load_cheat(path: Path) -> Cheat:
    source = path.read_text()
    exercise, without = (line.partition(": ")[2] for line in source.splitlines()[:2])
    return Cheat(path.stem, EXERCISES[exercise](), without, source)
