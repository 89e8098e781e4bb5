"""A course of one lesson whose three exercises are steps: each continues the program of the one before."""

import msgspec

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.exercise import Exercise
from app.lessons.model.model import Chapter, Course, ExercisePlace, Lesson, LessonText
from tests.browser.task_course import EXERCISES, SQUARE, explain, say

PATH = "steps/square"
NAMES = {"values": "The values are right", "gradient": "The gradient is right"}
NEW = "\n\ndef cube(x):\n    ...\n"
NEWER = "\n\ndef fourth(x):\n    ...\n"
FIRST = EXERCISES[0]


def make_step(name: str, before: str, starter: str, solution: str) -> Exercise:
    title = say(f"The {name} power", f"{name} 次方")
    texts = explain(title, say(f"Write <code>{name}</code>.", f"编写 <code>{name}</code>。"), {"en": NAMES, "zh-Hans": NAMES}, {})
    fields = {"id": name, "filename": f"{name}.py", "continues": before, "kind": "write", "texts": texts}
    return msgspec.structs.replace(FIRST, **fields, starter=starter.lstrip(), solutions={"solution": solution})


def make_catalogue() -> Catalogue:
    first = msgspec.structs.replace(FIRST, solutions={"solution": SQUARE})
    cube = SQUARE + NEW.replace("...", "return x * Square.apply(x)")
    exercises = (first, make_step("cube", first.id, NEW, cube), make_step("fourth", "cube", NEWER, cube + NEWER))
    blocks = tuple(ExercisePlace(one.id) for one in exercises)
    texts = {
        lang: LessonText(title=title, title_html=title, lede_html=f"{title}.", summary=title, blocks=blocks)
        for lang, title in say("Powers in steps", "分步求幂").items()
    }
    lesson = Lesson(id="square", chapter_id="steps", minutes=60, runtime="torch", cells=(), exercises=exercises, texts=texts)
    return Catalogue(Course((Chapter(id="steps", title={"en": "The bench", "zh-Hans": "工作台"}, lessons=(lesson,)),)))
