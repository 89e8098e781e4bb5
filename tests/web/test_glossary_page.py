"""The glossary, planned lessons and pictures, as a browser gets them."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from tests.lessons.course_folder import CourseFolder
from tests.lessons.doing_folder import SVG, add_doing
from tests.web.conftest import client_of

pytestmark = pytest.mark.anyio
TERMS = [("en", "incoming gradient", "Lesson: Later"), ("zh-Hans", "上游梯度", "“以后”一课")]


@pytest.fixture
def course(tmp_path: Path) -> CourseFolder:
    return add_doing(CourseFolder(tmp_path))


@pytest.fixture
def reader(make_app: Callable[..., FastAPI], course: CourseFolder) -> httpx.AsyncClient:
    return client_of(make_app(catalogue=course.load()))


@pytest.mark.parametrize(("lang", "name", "lesson"), [("en", "incoming gradient", "Lesson: Later"), ("zh-Hans", "上游梯度", "“以后”一课")])
async def test_the_glossary_has_every_term_with_its_place(reader: httpx.AsyncClient, lang: str, name: str, lesson: str) -> None:
    text = (await reader.get(f"/{lang}/glossary")).text
    assert f'<dt id="term-incoming" tabindex="-1">{name}</dt>' in text
    assert lesson in text


async def test_a_glossary_without_a_language_leads_to_one(reader: httpx.AsyncClient) -> None:
    answer = await reader.get("/glossary", headers={"accept-language": "zh"})
    assert answer.headers["location"] == "/zh-Hans/glossary"


async def test_a_lesson_carries_what_its_words_mean(reader: httpx.AsyncClient) -> None:
    text = (await reader.get("/en/one/first")).text
    assert '<template data-about="incoming"><strong>incoming gradient</strong> What <em>comes</em> in' in text


async def test_the_map_names_what_is_planned(reader: httpx.AsyncClient) -> None:
    text = " ".join((await reader.get("/en/map")).text.split())
    assert '<span class="path-title">Later</span>' in text
    assert 'href="/en/one/later"' not in text


async def test_a_picture_is_kept_for_ever_and_can_run_nothing(reader: httpx.AsyncClient, course: CourseFolder) -> None:
    lesson = course.load().lesson("one/first")
    assert lesson is not None
    answer = await reader.get(lesson.images[0].address)
    assert answer.text == SVG
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert any("sandbox" in policy for policy in answer.headers.get_list("content-security-policy"))


@pytest.mark.parametrize("path", ["x/chain.svg", "..%2f..%2flesson.toml/chain.svg", "../lesson.toml"])
async def test_only_pictures_of_the_catalogue_are_answered(reader: httpx.AsyncClient, path: str) -> None:
    assert (await reader.get(f"/lessons/one/first/images/{path}")).status_code == 404
