"""The lessons as JSON."""

from pathlib import Path

import httpx
import pytest

from app.main import open_catalogue

pytestmark = pytest.mark.anyio


async def test_the_course_lists_chapters_and_lessons_in_order(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/lessons")
    assert answer.json() == {
        "chapters": [
            {
                "id": "one",
                "number": 1,
                "title": "One",
                "promise": "",
                "lessons": [
                    {
                        "id": "first",
                        "path": "one/first",
                        "title": "First",
                        "term": "",
                        "ability": "",
                        "minutes": 5,
                        "runtime": "torch",
                        "cells": ["make", "fail", "use"],
                        "predictions": [],
                        "exercises": [],
                    }
                ],
            }
        ],
        "paths": [],
    }


async def test_the_course_is_in_the_language_asked_for(client: httpx.AsyncClient) -> None:
    answer = await client.get("/api/lessons", headers={"accept-language": "zh"})
    assert answer.json()["chapters"][0]["title"] == "一"
    assert "accept-language" in answer.headers["vary"].lower()


async def test_a_lesson_has_its_text_and_its_cells(client: httpx.AsyncClient) -> None:
    lesson = (await client.get("/api/lessons/one/first?lang=zh-Hans")).json()
    assert (lesson["title"], lesson["lang"], lesson["chapter"]) == ("第一课", "zh-Hans", "one")
    assert lesson["html"].startswith('<p>第一课.</p>\n<p>Look:</p>\n<div data-cell="make"></div>')
    use = {"id": "use", "filename": "use.py", "source": "a + 1\n", "after": ["make", "fail"], "raises": None, "runtime": "torch"}
    assert lesson["cells"][2] == use


@pytest.mark.parametrize("path", ["one/none", "none/first"])
async def test_an_unknown_lesson_is_404(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(f"/api/lessons/{path}")
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "no_such_lesson"


def test_a_course_that_is_not_there_does_not_keep_the_server_from_starting(tmp_path: Path) -> None:
    catalogue = open_catalogue([tmp_path])
    assert catalogue.course.chapters == ()
    assert catalogue.problems
