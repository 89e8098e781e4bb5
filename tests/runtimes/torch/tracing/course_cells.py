"""Programs of the course.

For each lesson with a custom Function this is the first cell that computes gradients, and the cells before it.
"""

import re

from app.lessons.model.model import Lesson
from tests.own_course import load_own_course

CALL = re.compile(r"\.backward\(|autograd\.grad\(|[^.\w]grad\(")


TRAINING = ("relu-net", "legendre")  # hundreds of passes, of which four are shown


def course_programs() -> dict[str, str]:
    lessons = [lesson for lesson in load_own_course().course.lessons if lesson.id not in TRAINING]
    return {f"{lesson.chapter_id}/{lesson.id}": text for lesson in lessons if (text := program_of(lesson)) is not None}


def program_of(lesson: Lesson) -> str | None:
    cells = {cell.id: cell for cell in lesson.cells}
    for cell in lesson.cells:
        text = "\n".join(each.source for each in (*(cells[before] for before in cell.after), cell))
        if cell.runtime == "torch" and cell.raises is None and CALL.search(cell.source) and "autograd.Function" in text:
            return text
    return None
