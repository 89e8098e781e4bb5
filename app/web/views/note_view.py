"""A teacher's note as the page "My work" shows it: its exercise, the line that it is about, and its text."""

from dataclasses import dataclass

from app.classroom.classes.notes import OwnNote
from app.lessons.course.catalogue import Catalogue
from app.protocol.run import Lang
from app.web.views.class_view import Moment, view_moment
from app.web.views.links import PageLink


@dataclass(frozen=True, kw_only=True)
class NoteView:
    """A note. `line_text` is that line of the attempt without its indentation, or empty if there is none.

    `exercise` is None if the course no longer has it.
    """

    id: int
    class_name: str
    author: str
    at: Moment | None
    is_unread: bool
    exercise: PageLink | None
    line: int
    line_text: str
    text: str


def view_note(note: OwnNote, catalogue: Catalogue, lang: Lang) -> NoteView:
    lesson = catalogue.lesson(note.lesson)
    exercise = lesson.exercise(note.exercise) if lesson else None
    lines = note.source.splitlines()
    return NoteView(
        id=note.id,
        class_name=note.class_name,
        author=note.author,
        at=view_moment(note.at_ms),
        is_unread=note.read_ms is None,
        exercise=PageLink(url=f"/{lang}/{note.lesson}#exercise-{note.exercise}", title=exercise.texts[lang].title) if exercise else None,
        line=note.line,
        line_text=lines[note.line - 1].strip() if note.line <= len(lines) else "",
        text=note.text,
    )
