"""The schemas that editors use are those of the loader: the same keys, and every lesson of ours fits them."""

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from app.lessons import schemas
from app.lessons.course.catalogue import load_catalogue
from app.lessons.toml.table import Table
from app.settings import PROJECT
from tests.lessons.course_folder import CourseFolder
from tests.lessons.doing_folder import add_doing

EVERYTHING = """
[limits]
[[cell]]
id = "double"
[cell.shows]
records = ["graph"]
[[cell.shows.graph]]
[[prediction]]
asks = "value"
[[prediction]]
asks = "choice"
[[prediction.choice]]
records = ["graph"]
[[prediction.choice.graph]]
[[prediction]]
asks = "verdict"
[[prediction]]
asks = "isolated"
[[try]]
id = "a"
edits = [{}]
[try.shows]
records = ["graph"]
[[try.shows.graph]]
"""


@pytest.mark.parametrize("name", schemas.FILES)
def test_the_schemas_in_the_docs_are_those_of_the_types(name: str) -> None:
    written = json.loads((schemas.FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert written == schemas.make_schema(name), "python -m app.lessons.schemas writes them"


@pytest.mark.parametrize("folder", ["lessons", "the example of the tests"])
def test_every_file_of_a_good_course_fits_its_schema(folder: str, course: CourseFolder) -> None:
    place = PROJECT / folder if folder == "lessons" else add_doing(course).folder
    files = [path for path in place.rglob("*.toml") if path.stem in schemas.FILES]
    assert files
    for path in files:
        msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), schemas.FILES[path.stem])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lesson", "minutes = 0"),
        ("lesson", "minutes = 1\nminuts = 2"),
        ("lesson", 'minutes = 1\n[[cell]]\nid = "A"'),
        ("exercise", 'kind = "blanc"'),
        ("glossary", '[a]\nname.en = "a"'),
        ("chapter", 'number = 1\nlessons = []\ntitle.en = "a"'),
        ("course", "chapters = 1"),
    ],
)
def test_what_the_loader_complains_of_does_not_fit(name: str, text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(tomllib.loads(text), schemas.FILES[name])


def test_the_loader_asks_for_the_keys_of_the_schemas(course: CourseFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each table of each file, by its path without the numbers of lists: both know the same keys."""
    asked: dict[str, set[str]] = defaultdict(set)

    def finish(table: Table) -> None:
        steps = [str(step) for step in table.path if isinstance(step, str)]
        if table.file == "glossary.toml" and steps:
            steps[0] = "*"
        asked[".".join([Path(table.file).stem, *steps])] |= table.asked

    monkeypatch.setattr(Table, "finish", finish)
    load_catalogue(add_doing(course).folder)
    course.write(
        "one/chapter.toml",
        (course.folder / "one/chapter.toml").read_text() + '\n[promise]\nen = "a"\nzh-Hans = "a"\n[outcomes]\nen = []\nzh-Hans = []',
    )
    course.write("one/first/lesson.toml", EVERYTHING)
    load_catalogue(course.folder)
    described = dict(keys_of(schemas.make_schema))
    assert dict(asked) == described


def keys_of(make_schema: Any) -> Iterator[tuple[str, set[str]]]:
    for name in schemas.FILES:
        schema = make_schema(name)
        yield from walk_schema(name, schema, schema["definitions"])


def walk_schema(path: str, part: dict[str, Any], definitions: dict[str, Any]) -> Iterator[tuple[str, set[str]]]:
    if "$ref" in part:
        part = definitions[part["$ref"].removeprefix("#/definitions/")]
    if "items" in part:
        yield from walk_schema(path, part["items"], definitions)
    if isinstance(part.get("additionalProperties"), dict):
        yield from walk_schema(f"{path}.*", part["additionalProperties"], definitions)
    if "properties" in part:
        yield path, set(part["properties"])
        for key, value in part["properties"].items():
            yield from walk_schema(f"{path}.{key}", value, definitions)
