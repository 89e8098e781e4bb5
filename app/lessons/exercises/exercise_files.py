"""Checks that an exercise has the files that its kind requires, and that checks.py agrees with exercise.toml and mistakes/."""

from collections.abc import Sequence

from app.lessons.exercises.checks_file import ChecksFile, Decorated, parse_checks
from app.lessons.model.exercise import Exercise
from app.lessons.model.keys import IDENTIFIER_LENGTH
from app.lessons.toml.problem import suggest
from app.lessons.toml.source import Reader
from app.lessons.toml.table import Table

FILES = ("starter.py", "solution.py", "checks.py")


def check_folder(reader: Reader, folder: str, exercise: Exercise) -> None:
    """Report files that an exercise of this kind must not have, and missing files that it must have."""
    for path in sorted((reader.folder / folder).glob("*.py")):
        if path.name not in FILES:
            reader.report(f"{folder}/{path.name}", 1, f"this file is not used{suggest(path.name, FILES)}")
    if exercise.kind == "test":
        for name, programs in (("right", exercise.right), ("mutants", exercise.mutants)):
            if not programs:
                reader.report(f"{folder}/exercise.toml", 1, f'kind "test": expected a program in {name}/, one or more')
        if exercise.mistakes or (reader.folder / folder / "checks.py").exists():
            reader.report(f"{folder}/exercise.toml", 1, 'kind "test" has no checks.py and no mistakes/: its checks are right/ and mutants/')
    elif exercise.right or exercise.mutants:
        reader.report(f"{folder}/exercise.toml", 1, f'right/ and mutants/ belong to the kind "test", and this is "{exercise.kind}"')


def read_common(reader: Reader, file: str) -> str:
    """Return the source of common.py, which precedes each checks.py of a lesson. Return "" if the lesson has none."""
    source = (reader.folder / file).exists() and reader.read_source(file, "what the checks have in common")
    found = _parse(reader, file, source or "")
    for one in [*found.checks, *found.mistakes] if found else []:
        reader.report(file, one.line, f'"{one.id}": checks and mistakes belong in the checks.py of their exercise')
    return f"{source}\n" if source else ""


def check_checks(table: Table, file: str, source: str, exercise: Exercise) -> None:
    """Report checks and mistakes that are only in checks.py, whose text is `source`, or only in exercise.toml or mistakes/."""
    found = _parse(table.reader, file, source)
    if found and source:
        _compare_checks(table, file, exercise, found)
        _compare_mistakes(table.reader, file, exercise, found.mistakes)


def _parse(reader: Reader, file: str, source: str) -> ChecksFile | None:
    try:
        return parse_checks(source)
    except SyntaxError as error:
        reader.report(file, error.lineno or 1, f"this is not Python: {error.msg}")
        return None


def _compare_checks(table: Table, file: str, exercise: Exercise, found: ChecksFile) -> None:
    declared, made = [check.id for check in exercise.checks], [check.id for check in found.checks]
    for one in found.checks:
        if one.id not in declared:
            table.reader.report(file, one.line, f'the check "{one.id}" is not in exercise.toml: expected a [[check]] with this id')
    for index, one_id in enumerate(declared):
        if one_id not in made:
            function = one_id.replace("-", "_")
            table.report(
                f'there is no check "{one_id}" in checks.py: expected @check def {function}(){suggest(one_id, made)}', "check", index, "id"
            )
    if sorted(declared) == sorted(made) and declared != made:
        table.report(f"expected the checks in the order of checks.py: {', '.join(made)}", "check")


def _compare_mistakes(reader: Reader, file: str, exercise: Exercise, found: Sequence[Decorated]) -> None:
    known = [one.id for one in found]
    for one in found:
        if len(one.id) > IDENTIFIER_LENGTH:
            reader.report(file, one.line, f'the mistake "{one.id}" has a long name: expected at most {IDENTIFIER_LENGTH} characters')
        if one.id not in exercise.mistakes:
            name = one.id.replace("-", "_")
            reader.report(file, one.line, f'the mistake "{one.id}" has no program that triggers it: expected mistakes/{name}.py')
    folder = file.removesuffix("checks.py")
    for mistake in exercise.mistakes:
        if mistake not in known:
            name = mistake.replace("-", "_")
            reader.report(f"{folder}mistakes/{name}.py", 1, f"expected @mistake def {name}() in checks.py{suggest(mistake, known)}")
