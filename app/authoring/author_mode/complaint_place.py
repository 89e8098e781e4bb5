"""Finds the part of a lesson's page to which a problem belongs: a cell, prediction, exercise, try-it or section."""

import re
from pathlib import Path
from typing import Literal

import msgspec

from app.lessons.toml.problem import Problem

Kind = Literal["cell", "prediction", "exercise", "try", "section"]
TABLES: dict[str, Kind] = {"cell": "cell", "prediction": "prediction", "exercise": "exercise", "try": "try"}
DIRECTIVES: dict[str, Kind] = {"cell": "cell", "predict": "prediction", "exercise": "exercise", "try": "try"}
PLACED = re.compile(r"^:{3,}\{(cell|predict|exercise|try)\}\s*(\S+)")
TABLE = re.compile(rf"^\s*\[\[\s*({'|'.join(TABLES)})\s*\]\]")
ID = re.compile(r"""^\s*id\s*=\s*["']([^"']+)["']""")
HEADING = re.compile(r"^#{2,3} ")
FENCE = re.compile(r"^\s*(`{3,}|~{3,})")


class ComplaintPlace(msgspec.Struct, frozen=True):
    """A part of the page. The id of a section is its number on the page, from 1."""

    kind: Kind
    id: str


class Complaint(msgspec.Struct, frozen=True):
    """A problem as the page shows it. `where` has the file and the line."""

    where: str
    message: str
    place: ComplaintPlace | None = None


def locate(folder: Path, lesson: str, problem: Problem) -> Complaint:
    """Return the complaint about a problem for the page of `lesson`. It has no place if the problem is in another lesson's file."""
    inside = problem.file.removeprefix(f"{lesson}/") if problem.file.startswith(f"{lesson}/") else ""
    return Complaint(f"{problem.file}:{problem.line}", problem.message, _find_place(folder / lesson, inside, problem.line))


def _find_place(folder: Path, file: str, line: int) -> ComplaintPlace | None:
    first, _, rest = file.partition("/")
    if first == "cells" and rest.endswith(".py"):
        return ComplaintPlace("cell", rest.removesuffix(".py").replace("_", "-"))
    if first == "recorded" and rest.endswith(".json"):
        return ComplaintPlace("cell", rest.removesuffix(".json"))
    if first == "exercises" and rest:
        return ComplaintPlace("exercise", rest.partition("/")[0])
    if file != "lesson.toml" and not file.endswith(".md"):
        return None
    try:
        lines = (folder / file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    return _find_table(lines, line) if file == "lesson.toml" else _find_block(lines, line)


def _find_table(lines: list[str], line: int) -> ComplaintPlace | None:
    """Return the place of the table in lesson.toml that contains `line`: [[cell]], [[prediction]], [[exercise]] or [[try]]."""
    kind: Kind | None = None
    found = ""
    for number, text in enumerate(lines, 1):
        if match := TABLE.match(text):
            if number > line:
                break
            kind, found = TABLES[match[1]], ""
        elif (match := ID.match(text)) and not found:
            found = match[1]
    return ComplaintPlace(kind, found) if kind and found else None


def _find_block(lines: list[str], line: int) -> ComplaintPlace | None:
    """Return the place of the last directive or heading that begins at `line` or above."""
    place: ComplaintPlace | None = None
    sections, fenced = 0, False
    for text in lines[:line]:
        if FENCE.match(text):
            fenced = not fenced
        elif fenced:
            continue
        elif match := PLACED.match(text):
            place = ComplaintPlace(DIRECTIVES[match[1]], match[2])
        elif HEADING.match(text):
            sections += 1
            place = ComplaintPlace("section", str(sections))
    return place
