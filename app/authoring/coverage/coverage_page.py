"""Renders docs/coverage.md, which lists what a course has to teach and where the course does so."""

from collections.abc import Iterator
from pathlib import Path

import typer

from app.authoring.coverage.coverage import ConceptTable, Coverage, ErrorTable, FactTable, TopicTable, load_coverage
from app.authoring.report import ALL_MATCHES, MISMATCH, OUR_FAULT, print_problems
from app.lessons.course.catalogue import Catalogue, load_catalogue
from app.lessons.model.model import Chapter
from app.settings import SettingsError, load_settings

OPENING = """# Coverage

What the course has to teach, and where a reader meets it and runs it. Written by `gradroom lessons coverage` from
`lessons/coverage.toml`; `gradroom lessons check` complains about a place that does not exist, and about one that is missing in a chapter
that is complete. *(believed otherwise)*: the opposite is widely believed.
"""
HEADINGS: dict[type[TopicTable], str] = {
    ConceptTable: "| Concept | shown by |",
    FactTable: "| Fact | shown by |",
    ErrorTable: "| Error that tutorials make | explained by |",
}


def print_coverage(folder: Path | None) -> int:
    """Print the coverage of the course in `folder`, by default the server's. Return the exit status."""
    try:
        place = folder or load_settings().lessons_folder
    except SettingsError as error:
        typer.echo(str(error), err=True)
        return OUR_FAULT
    catalogue = load_catalogue(place)
    coverage = load_coverage(place, catalogue)
    typer.echo(render_coverage(catalogue, coverage), nl=False)
    print_problems(place, coverage.problems, err=True)
    return MISMATCH if coverage.problems else ALL_MATCHES


def render_coverage(catalogue: Catalogue, coverage: Coverage) -> str:
    """Return a section for each chapter that has to teach something, then a list of what is still missing."""
    chapters = catalogue.course.chapters
    parts = [OPENING, *(part for chapter in chapters for part in _render_chapter(chapter, coverage)), *_render_owed(chapters, coverage)]
    return "\n".join(parts)


def _render_chapter(chapter: Chapter, coverage: Coverage) -> Iterator[str]:
    shown = [topic for topic in coverage.topics if topic.chapter == chapter.id and any(_list_places(topic))]
    names = {name: lessons for name, lessons in coverage.names.get(chapter.id, {}).items() if lessons}
    if not shown or not chapter.lessons:
        return
    yield f"## {chapter.label('en')}\n"
    for kind, heading in HEADINGS.items():
        if rows := [topic for topic in shown if isinstance(topic, kind)]:
            yield f"{heading}\n| --- | --- |"
            yield "".join(f"| {_say(topic)} | {', '.join(_list_places(topic))} |\n" for topic in rows)
    if names:
        yield "| Name | used in |\n| --- | --- |"
        yield "".join(f"| `{name}` | {', '.join(_link(lesson.path) for lesson in lessons)} |\n" for name, lessons in names.items())


def _render_owed(chapters: tuple[Chapter, ...], coverage: Coverage) -> Iterator[str]:
    yield "## Still owed\n"
    owed = [(chapter, [*_list_owed(chapter.id, coverage)]) for chapter in chapters]
    if not any(lines for _, lines in owed):
        yield "Nothing.\n"
    for chapter, lines in owed:
        if lines:
            yield f"**{chapter.label('en')}**\n"
            yield "".join(f"- {line}\n" for line in lines)


def _list_owed(chapter: str, coverage: Coverage) -> Iterator[str]:
    yield from (_say(topic) for topic in coverage.topics if topic.chapter == chapter and not any(_list_places(topic)))
    if names := [name for name, lessons in coverage.names.get(chapter, {}).items() if not lessons]:
        yield f"to use: `{'`, `'.join(names)}`"


def _say(topic: TopicTable) -> str:
    is_myth = isinstance(topic, FactTable) and topic.myth
    return topic.says.replace("|", "\\|") + (" *(believed otherwise)*" if is_myth else "")


def _list_places(topic: TopicTable) -> Iterator[str]:
    if isinstance(topic, ErrorTable) and topic.pitfall:
        yield f"what is told of the error, `{topic.pitfall}`"
    yield from map(_link, topic.shown)


def _link(place: str) -> str:
    path, _, part = place.partition("#")
    return f"[{path}{' ' if part else ''}{part and f'`{part}`'}](../lessons/{path})"
