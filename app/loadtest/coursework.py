"""What simulated learners work through, as the server's API describes it: lessons with their cells, predictions and exercises."""

import random

import msgspec


class TaskCell(msgspec.Struct, frozen=True):
    """A cell to run. `raises` is the exception that must end it according to its lesson, or None."""

    id: str
    source: str
    after: tuple[str, ...]
    raises: str | None

    def mismatch(self, outcome: str, error_type: str | None) -> str:
        """Return how the outcome differs from what the lesson declares, or "" if they agree."""
        name = (error_type or "").rpartition(".")[2]
        expected = f"raised {self.raises}" if self.raises else "finished"
        got = f"raised {name}" if outcome == "raised" else outcome
        return "" if got == expected else f"expected {expected}, got {got}"


class TaskPrediction(msgspec.Struct, frozen=True):
    """A question about what a cell will do. `asks` is the form of the answer."""

    id: str
    asks: str
    choices: tuple[str, ...]

    def guess(self, dice: random.Random) -> int | None:
        """Return the number of a random choice. Without choices return None, with which the learner asks to see the answer."""
        return dice.randint(1, len(self.choices)) if self.asks == "choice" and self.choices else None


class TaskExercise(msgspec.Struct, frozen=True):
    """An exercise. Its `starter` does not pass. If it `continues` another exercise, the starter is not a complete program."""

    id: str
    starter: str
    continues: str | None


class TaskLesson(msgspec.Struct, frozen=True):
    """A lesson. `path` is "chapter/lesson"."""

    path: str
    cells: tuple[TaskCell, ...]
    predictions: tuple[TaskPrediction, ...] = ()
    exercises: tuple[TaskExercise, ...] = ()


class _Entry(msgspec.Struct):
    path: str
    cells: list[str]


class _Chapter(msgspec.Struct):
    lessons: list[_Entry]


class _Contents(msgspec.Struct):
    chapters: list[_Chapter]


def parse_contents(body: bytes) -> list[str]:
    """Return the paths of the lessons that have cells. `body` is the answer of `GET /api/lessons`. Raises msgspec.DecodeError."""
    contents = msgspec.json.decode(body, type=_Contents)
    return [lesson.path for chapter in contents.chapters for lesson in chapter.lessons if lesson.cells]


def parse_lesson(body: bytes) -> TaskLesson:
    """Return the lesson in `body`, the answer of `GET /api/lessons/{chapter}/{lesson}`. Raises msgspec.DecodeError."""
    return msgspec.json.decode(body, type=TaskLesson)
