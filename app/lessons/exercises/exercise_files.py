"""The files in an exercise's folder: loads its programs, and reports files that are missing or not used."""

from app.lessons.model.exercise import Exercise
from app.lessons.toml.problem import suggest
from app.lessons.toml.source import Reader

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


def load_programs(reader: Reader, folder: str) -> dict[str, dict[str, str]]:
    """Return the programs in each folder, such as solutions/, by id: the file's name with hyphens for underscores."""
    return {
        name: {
            path.stem.replace("_", "-"): reader.read_source(f"{folder}/{name}/{path.name}", "a program") or ""
            for path in sorted((reader.folder / folder / name).glob("*.py"))
        }
        for name in ("solutions", "mistakes", "broken", "right", "mutants")
    }
