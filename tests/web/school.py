"""What the tests of classes share: a class with a teacher, and learners who join it by its form."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import httpx
from fastapi import FastAPI

from app.classroom.classes import class_lessons, school_classes
from app.classroom.classes.class_lessons import ClassLesson
from app.classroom.store.times import now_ms
from tests.web.kept import services_of
from tests.web.people import add_person, browser_of

CODE = re.compile(r'id="code" translate="no">([0-9A-Z-]{19})<')


@dataclass(frozen=True)
class School:
    """A class, its join code, and the id of the person who teaches it."""

    class_id: int
    code: str
    teacher: int


async def open_class(app: FastAPI, name: str = "Physics 12b", lessons: Sequence[ClassLesson] = ()) -> School:
    """Make a class with a teacher of its own."""
    database = services_of(app).database
    teacher = await add_person(app, f"Teacher of {name}")
    class_id = await database.write(school_classes.make_class, teacher.id, name, now_ms())
    await database.write(class_lessons.set_lessons, teacher.id, class_id, lessons)
    found = await database.read(school_classes.find_class, teacher.id, class_id)
    return School(class_id, found.code, teacher.id)


async def new_browser(app: FastAPI) -> httpx.AsyncClient:
    """Return a browser that has a learner's cookie."""
    browser = browser_of(app)
    await browser.get("/en/")
    return browser


async def join(browser: httpx.AsyncClient, school: School, name: str = "Ana", **fields: str) -> str:
    """Join a class by its form, and return the resume code."""
    answer = await browser.post(f"/en/join/{school.code}", data={"name": name, **fields})
    found = CODE.search(answer.text)
    assert answer.status_code == 200 and found, answer.text
    return found[1]
