"""The guide for authors agrees with the program: its example course loads and runs, and it names every key and word."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from app.authoring.commands import lessons_app
from app.lessons.course.catalogue import load_catalogue
from app.lessons.course.review import find_review_problems
from app.lessons.markdown.directives import DIRECTIVES
from app.lessons.markdown.markup import MEANINGS
from app.lessons.schemas import FILES, make_schema
from app.lessons.toml.exercise_file import ExerciseFile
from app.lessons.toml.shows_tables import OUTCOMES
from app.protocol.records.registry import RECORD_NAMES
from app.settings import PROJECT
from tests.one_test import in_one_test
from tests.programs import Programs

GUIDE = (PROJECT / "docs/authoring.md").read_text(encoding="utf-8")
PIECE = re.compile(r"^```toml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^\*\*`([^`]+)`\*\*\n\n(`{3,})\w+\n(.*?)^\2$", re.MULTILINE | re.DOTALL)


def keys_in(schema: Any) -> Iterator[str]:
    """Yield every key of a schema."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for part in schema.values():
            yield from keys_in(part)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    for name, _, text in FILE.findall(GUIDE):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_the_guides_example_is_a_course_without_problems(example: Path) -> None:
    catalogue = load_catalogue(example)
    assert catalogue.problems == ()
    [lesson] = catalogue.course.lessons
    assert [cell.id for cell in lesson.cells] == ["triple", "triple-checked"]
    assert find_review_problems(example, catalogue.course.lessons) == []


def test_every_piece_of_toml_in_the_guide_is_as_its_schema_has_it() -> None:
    chapter = {"number": 1, "title": {"en": "a", "zh-Hans": "a"}, "lessons": []}
    whole: dict[str, dict[str, Any]] = {"course": {"chapters": []}, "chapter": chapter, "lesson": {"minutes": 1}}
    checks = {"check": [{"id": "a"}]}
    pieces = PIECE.findall(GUIDE)
    assert pieces
    for piece in pieces:
        data = tomllib.loads(piece)
        wholes = [(kind, {**whole.get(name, {}), **data}) for name, kind in FILES.items()]
        assert any(fits(one, kind) for kind, one in [*wholes, (ExerciseFile, {**checks, **data})]), piece


def fits(data: dict[str, Any], kind: Any) -> bool:
    try:
        msgspec.convert(data, kind)
    except msgspec.ValidationError:
        return False
    return True


KEYS = [key for name in FILES for key in keys_in(make_schema(name))]


@in_one_test("key", sorted(set(KEYS)))
def test_the_guide_names_every_key(key: str) -> None:
    assert re.search(rf"`[^`\n]*\b{key}\b[^`\n]*`", GUIDE)


@in_one_test("word", [*DIRECTIVES, *MEANINGS, *OUTCOMES, *RECORD_NAMES])
def test_the_guide_names_everything_an_author_can_write(word: str) -> None:
    assert f'"{word}"' in GUIDE or f"`{word}`" in GUIDE or f"{{{word}}}" in GUIDE


def test_the_guides_example_shows_what_it_declares(example: Path, programs: Programs) -> None:
    result = CliRunner(env={"GRADROOM_RUNNER_SOCKET": str(programs.socket)}).invoke(lessons_app, ["check", str(example)])
    assert result.exit_code == 0, result.output
    summary = (
        r"^1 lesson in 2 languages with 2 cells, 1 prediction, 1 try-it, 1 exercise, 1 mistake loaded and run in \d+\.\d s: no problems\.$"
    )
    assert re.search(summary, result.output, re.MULTILINE)


def test_a_cell_that_no_longer_shows_what_it_declares_fails_the_check(example: Path, programs: Programs) -> None:
    path = example / "first-steps/three-times/lesson.toml"
    path.write_text(path.read_text().replace("x.grad = 2.0", "x.grad = 3.0"))
    result = CliRunner(env={"GRADROOM_RUNNER_SOCKET": str(programs.socket)}).invoke(lessons_app, ["check", str(example)])
    assert result.exit_code == 1
    assert f'{path}:11: the cell triple: expected "x.grad = 3.0" on stdout, got "x.grad = 2.0"' in result.output


def test_loading_alone_runs_nothing_and_fails_on_a_broken_lesson(example: Path) -> None:
    assert CliRunner().invoke(lessons_app, ["check", "--no-run", str(example)]).exit_code == 0
    (example / "first-steps/three-times/zh-Hans.md").unlink()
    result = CliRunner().invoke(lessons_app, ["check", "--no-run", str(example)])
    assert result.exit_code == 1
    assert f"{example}/first-steps/three-times/zh-Hans.md:1: expected the text in the language zh-Hans" in result.output
