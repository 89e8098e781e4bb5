"""Writes the JSON schemas in docs/schemas, with which editors complete and check the TOML files of a course.

Run as `python -m app.lessons.schemas`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from app.lessons.model.keys import Id
from app.lessons.toml.course_files import CardFile, ChapterFile, CourseFile, PathsFile, TermTable
from app.lessons.toml.exercise_file import ExerciseFile
from app.lessons.toml.form import schema_of
from app.lessons.toml.lesson_file import LessonFile

FOLDER = Path(__file__).parents[2] / "docs/schemas"
DIALECT = "http://json-schema.org/draft-07/schema#"  # which taplo reads
FILES: Mapping[str, Any] = {
    "course": CourseFile,
    "chapter": ChapterFile,
    "lesson": LessonFile,
    "exercise": ExerciseFile,
    "card": CardFile,
    "glossary": Annotated[dict[Id, TermTable], Meta(description="glossary.toml: what the words of the course mean.")],
    "paths": PathsFile,
}


def make_schema(name: str) -> dict[str, Any]:
    """Return the JSON schema of one kind of file."""
    return {"$schema": DIALECT, "title": f"{name}.toml", **_as_draft_7(schema_of(FILES[name]))}


def _as_draft_7(schema: Any) -> Any:
    """Return the schema in draft 7, which calls definitions otherwise. The key `expected`, which only complaints use, is removed."""
    if isinstance(schema, dict):
        return {("definitions" if key == "$defs" else key): _as_draft_7(value) for key, value in schema.items() if key != "expected"}
    if isinstance(schema, list):
        return [_as_draft_7(value) for value in schema]
    return schema.replace("#/$defs/", "#/definitions/") if isinstance(schema, str) else schema


def write_schemas() -> None:
    for name in FILES:
        (FOLDER / f"{name}.json").write_text(json.dumps(make_schema(name), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_schemas()
