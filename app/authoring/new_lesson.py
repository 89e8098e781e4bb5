"""`gradroom lessons new`: makes a small complete lesson to begin from, and lists it in chapter.toml and course.toml."""

import shutil
from pathlib import Path

import tomlkit
import typer

from app.lessons.model.keys import IDENTIFIER, IDENTIFIER_LENGTH
from app.lessons.texts.translations import record_translations
from app.settings import SettingsError, load_settings

TEMPLATE = Path(__file__).parent / "template" / "lesson"
MADE, REFUSED = 0, 2
NEXT_STEPS = """\
Made {made}, listed as the last lesson of its chapter. It is complete as it is: now make it yours.
  Look at it while you write:  gradroom author{course}
  1. {made}/en.md: title, text, the rule; then the same in zh-Hans.md. TODO and 待写 mark what is missing.
  2. {made}/cells: the code; what it shows is in lesson.toml (check --record writes it).
  3. {made}/exercises: starter, solutions, mistakes, checks.
  4. Check all of it:          gradroom lessons check {path}{lessons}
     Until the texts are long enough, it complains about that and nothing else."""
NEW_CHAPTER = """\
number = {number}
title.en = "{title}"
title.zh-Hans = "{title}（待译）"
lessons = ["{lesson}"]
"""


class NewLessonError(Exception):
    """The lesson cannot be made. The message says why."""


def make_lesson(path: str, folder: Path | None) -> int:
    """Make the lesson in the course in `folder`, by default the server's, and print what to do next. Return the exit status."""
    try:
        place = folder or load_settings().lessons_folder
        made = write_lesson(path, place)
    except (NewLessonError, SettingsError, OSError) as error:
        typer.echo(f"No lesson was made: {error}", err=True)
        return REFUSED
    lessons, course = (f" --lessons {folder}", f" {folder}") if folder else ("", "")
    typer.echo(NEXT_STEPS.format(made=made, path=path, lessons=lessons, course=course))
    return MADE


def write_lesson(path: str, folder: Path) -> Path:
    """Make the lesson and return its folder. Raises NewLessonError and OSError."""
    chapter, _, lesson = path.partition("/")
    for part in (chapter, lesson):
        if not IDENTIFIER.fullmatch(part) or len(part) > IDENTIFIER_LENGTH:
            raise NewLessonError(f'expected chapter/lesson, of small letters, digits and single hyphens, got "{path}"')
    made = folder / chapter / lesson
    if made.exists():
        raise NewLessonError(f"{made} already exists")
    course = folder / "course.toml"
    chapters = _read(course)
    _append(chapters, "chapters", chapter)
    listed = (course, tomlkit.dumps(chapters)), _list_in_chapter(folder, chapter, lesson)
    shutil.copytree(TEMPLATE, made, ignore=shutil.ignore_patterns("__pycache__"))
    for file, text in listed:
        file.write_text(text, encoding="utf-8")
    record_translations(folder, path)
    return made


def _list_in_chapter(folder: Path, chapter: str, lesson: str) -> tuple[Path, str]:
    """Return the path of chapter.toml, and its text with the lesson as the last in the list. A new chapter gets the next number."""
    file = folder / chapter / "chapter.toml"
    if not file.exists():
        number = 1 + max((int(_read(one).get("number", 0)) for one in folder.glob("*/chapter.toml")), default=0)
        title = chapter.replace("-", " ").capitalize()
        return file, NEW_CHAPTER.format(number=number, title=title, lesson=lesson)
    document = _read(file)
    _append(document, "lessons", lesson)
    if isinstance(planned := document.get("planned"), tomlkit.items.AoT):
        for index in reversed([index for index, table in enumerate(planned) if table.get("id") == lesson]):
            del planned[index]
    return file, tomlkit.dumps(document)


def _read(file: Path) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(file.read_text(encoding="utf-8")) if file.exists() else tomlkit.document()
    except (tomlkit.exceptions.ParseError, UnicodeDecodeError) as error:
        raise NewLessonError(f"{file} cannot be read: {error}") from None


def _append(document: tomlkit.TOMLDocument, key: str, name: str) -> None:
    """Append the name to a list and keep the list's layout. Does nothing if the list has the name."""
    listed = document.setdefault(key, tomlkit.array())
    if name in listed:
        return
    if "\n" in listed.as_string():
        listed.add_line(name, indent="    ")
    else:
        listed.append(name)
