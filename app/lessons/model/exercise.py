"""An exercise as data: the starter, the programs and checks that decide whether it is solved, and the texts."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from app.lessons.model.keys import Id, Words, expects
from app.protocol.run import Lang

Kind = Literal["blank", "fix", "write", "test"]


class CheckFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One check of checks.py. The tables have the order of the file."""

    id: Annotated[Id, Meta(description="The function's name, with hyphens for underscores.")]
    hidden: Annotated[bool, Meta(description="It is counted and not named.")] = False


class Promise(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A sentence of the task that promises something, and the check that refuses a program that breaks the promise."""

    id: Annotated[Id, Meta(description="The name of the program in broken/ that breaks it, with hyphens for underscores.")]
    words: Annotated[
        Words, expects("words of the task, as a reader sees them", "The English sentence as a reader sees it, or a part of it.")
    ]
    check: (
        Annotated[
            Words,
            expects(
                "the id of the check that holds it",
                'The check that holds it, or "functions" or "bans". Not where it is about what is given.',
            ),
        ]
        | None
    ) = None


def start_step(program: str, starter: str) -> str:
    """Return the program with which a learner begins a step: `program`, which solves the step before, then this step's `starter`.

    static/js/components/tasks/exercise-step.js does the same.
    """
    return f"{program.rstrip()}\n\n\n{starter}"


class ExerciseText(msgspec.Struct, frozen=True, kw_only=True):
    """The texts in one language. They are HTML, except that `title` and the titles of `checks` are plain text."""

    title: str
    html: str
    hints: tuple[str, ...]
    mistakes: Mapping[str, str]  # id → its explanation
    checks: Mapping[str, str]  # id → title of a check that is not hidden
    mutants: Mapping[str, str] = {}  # id → what it does wrong, shown if the learner's check accepts it
    after: str = ""  # shown when the exercise is solved


class Exercise(msgspec.Struct, frozen=True, kw_only=True):
    """An exercise, which runs in the lesson's runtime.

    - `asks` has the limits that the exercise or its lesson needs in place of the server's, by their names in Limits.
    - `after` lists the cells that are replayed before the submission.
    - `continues` is the exercise whose program this one continues. Then `starter` has only the new lines; all other programs are complete.
    - `mistakes` maps each known mistake to a program that makes it.
    - `solutions` maps names to right programs; the one called "solution" is shown to learners.
    - `broken` maps the id of each promise to a program that breaks only this promise.
    - `checks_source` is common.py, which has `common_lines` lines, followed by checks.py.
    - `functions`, `bans`, `subject`, `examines`, `right` and `mutants` mean the same as in app.protocol.grading.Rubric.
    """

    id: str
    kind: Kind
    filename: str
    continues: str | None = None
    after: tuple[str, ...] = ()
    asks: Mapping[str, float] = {}
    starter: str
    solutions: Mapping[str, str]
    checks_source: str = ""
    common_lines: int = 0
    checks: tuple[CheckFacts, ...] = ()
    mistakes: Mapping[str, str] = {}
    promises: tuple[Promise, ...] = ()
    broken: Mapping[str, str] = {}
    functions: tuple[str, ...] = ()
    bans: tuple[str, ...] = ()
    examines: str | None = None
    subject: str | None = None
    right: Mapping[str, str] = {}
    mutants: Mapping[str, str] = {}
    texts: Mapping[Lang, ExerciseText] = {}

    @property
    def solution(self) -> str:
        return self.solutions["solution"]
