"""Checks steps. A step is an exercise that continues the program of another exercise in the lesson."""

from collections.abc import Mapping, Sequence

from app.lessons.model.exercise import Exercise
from app.lessons.toml.problem import suggest
from app.lessons.toml.table import Table


def check_steps(read: Sequence[tuple[Exercise, Table]]) -> None:
    """Report an exercise whose `continues` names an exercise that it cannot continue. Only one exercise may continue another."""
    exercises = {exercise.id: exercise for exercise, _ in read}
    taken: dict[str, str] = {}
    for exercise, table in read:
        if exercise.continues is None:
            continue
        fault = _find_fault(exercise, exercises, taken)
        if fault:
            table.report(f"continues: {fault}", "continues")
        taken.setdefault(exercise.continues, exercise.id)


def _find_fault(exercise: Exercise, exercises: Mapping[str, Exercise], taken: Mapping[str, str]) -> str | None:
    name = exercise.continues or ""
    before = exercises.get(name)
    if before is None or before is exercise:
        others = [other for other in exercises if other != exercise.id]
        return f'there is no other exercise "{name}" in this lesson{suggest(name, others)}'
    if name in taken:
        return f'"{taken[name]}" already goes on from "{name}": expected steps in a row'
    if (exercise.kind == "test") is not (before.kind == "test"):
        return f'"{name}" is of the kind "{before.kind}" and this one "{exercise.kind}": expected both or none of the kind "test"'
    missing = [cell for cell in before.after if cell not in exercise.after]
    return f'the program of "{name}" runs after {", ".join(missing)}: expected that in after' if missing else None
