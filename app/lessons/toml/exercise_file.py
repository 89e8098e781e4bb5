"""The fields of exercise.toml, for each kind of exercise."""

from typing import Annotated

from msgspec import Meta

from app.lessons.model.exercise import CheckFacts, Promise
from app.lessons.model.keys import NAME, After, Id, Seconds, Words, expects
from app.lessons.toml.strict_tables import StrictTable
from app.protocol.limits import bounds

MemoryBytes = Annotated[
    int, Meta(ge=bounds("memory_bytes")[0], le=bounds("memory_bytes")[1], description="What the learner's program may use.")
]


class _Exercise(StrictTable, tag_field="kind", frozen=True):
    """exercise.toml: what a learner's program must do, and which checks decide whether it does."""

    continues: Annotated[Id, Meta(description="The exercise of this lesson from whose program this one goes on.")] | None = None
    after: After = ()
    deadline_seconds: Seconds | None = None
    memory_bytes: MemoryBytes | None = None
    functions: Annotated[
        tuple[Annotated[str, expects("the name of a class", pattern=f"^{NAME}$")], ...],
        Meta(description="Classes that have to be the learner's own Functions."),
    ] = ()
    bans: Annotated[
        tuple[
            Annotated[
                str,
                expects('a dotted name, like "torch.exp", or an operator, like "**"', pattern=rf"^({NAME}(\.{NAME})*|\*\*|[@*/+-])$"),
            ],
            ...,
        ],
        Meta(description="Names and operators that must not be used."),
    ] = ()
    promise: tuple[Promise, ...] = ()


class _CheckedExercise(_Exercise, kw_only=True, frozen=True):
    check: Annotated[tuple[CheckFacts, ...], expects("a table [[check]] for each check of checks.py, one or more", min_length=1)]


class BlankExercise(_CheckedExercise, tag="blank", frozen=True):
    """The starter has blanks to fill in."""


class FixExercise(_CheckedExercise, tag="fix", frozen=True):
    """The starter has a mistake to find."""


class WriteExercise(_CheckedExercise, tag="write", frozen=True):
    """The learner writes the program."""


class TestExercise(_Exercise, tag="test", kw_only=True, frozen=True):
    """The learner writes a check, which is tried on right and wrong programs."""

    examines: Annotated[Words, expects("the name of the check that the learner writes", "The check that the learner writes.")]
    subject: Annotated[Words, expects("the name that right/*.py and mutants/*.py define", "The name that right/ and mutants/ define.")]


ExerciseFile = BlankExercise | FixExercise | WriteExercise | TestExercise
