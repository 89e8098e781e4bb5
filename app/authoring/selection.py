"""Selects the lessons for an author's command: by name, or by the files that git finds changed."""

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from app.lessons.toml.problem import Problem, suggest

BRANCHES = ("origin/HEAD", "main", "master")  # the branch that a change is meant for: the first of these that exists


class SelectionError(Exception):
    """A lesson does not exist, or git cannot tell what changed. The message says so."""


class Selection:
    """A set of lessons. `paths` are "chapter/lesson"; None stands for all lessons."""

    def __init__(self, paths: frozenset[str] | None = None) -> None:
        self.paths = paths

    def __contains__(self, path: str) -> bool:
        return self.paths is None or path in self.paths

    def problems(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return the problems of the selected lessons."""
        return [problem for problem in problems if self.paths is None or "/".join(problem.file.split("/")[:2]) in self.paths]


def select_named(folder: Path, names: Sequence[str]) -> Selection:
    """Select lessons by `names`, each a path, a chapter or a folder. Without names, select all lessons. Raises SelectionError."""
    known = list_lessons(folder)
    found: set[str] = set()
    for name in names:
        path = _below(folder, name)
        lessons = [lesson for lesson in known if lesson == path or lesson.startswith(f"{path}/")]
        if not lessons:
            raise SelectionError(f'There is no lesson "{path}" in {folder}{suggest(path, known)}')
        found.update(lessons)
    return Selection(frozenset(found) if names else None)


def select_changed(folder: Path) -> Selection:
    """Select the lessons with new files, or with files that changed since this branch left the main branch.

    Raises SelectionError.
    """
    base = _find_base(folder)
    changed = _git(folder, "diff", "--name-only", "--relative", "-z", base, "--", ".")
    new = _git(folder, "ls-files", "--others", "--exclude-standard", "-z")
    paths = {"/".join(file.split("/")[:2]) for file in (changed + new).split("\0")}
    return Selection(frozenset(paths & set(list_lessons(folder))))


def list_lessons(folder: Path) -> list[str]:
    """Return the path of every folder with a lesson.toml."""
    return sorted(path.parent.relative_to(folder).as_posix() for path in folder.glob("*/*/lesson.toml"))


def _below(folder: Path, name: str) -> str:
    """Return the path of a lesson or chapter. `name` may be the path, or the folder as a shell completes it."""
    given = Path(name)
    if given.is_dir() and given.resolve().is_relative_to(folder.resolve()):
        return given.resolve().relative_to(folder.resolve()).as_posix()
    return name.strip("/")


def _find_base(folder: Path) -> str:
    _git(folder, "rev-parse", "--git-dir")
    for branch in BRANCHES:
        try:
            return _git(folder, "merge-base", "HEAD", branch).strip()
        except SelectionError:
            continue
    return "HEAD"


def _git(folder: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise SelectionError("--changed asks git which files differ, but there is no git here: name the lessons instead.") from None
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason"])[0]
        raise SelectionError(f"--changed asks git which files differ in {folder}, and git says: {reason}. Name the lessons instead.")
    return done.stdout
