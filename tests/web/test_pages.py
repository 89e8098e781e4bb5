"""The pages as HTML: what they say, in which language, and that nothing in them can do harm."""

import re
from collections.abc import Callable

import httpx
import msgspec
import pytest
from fastapi import FastAPI

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Cell, CellPlace, Chapter, Course
from app.lessons.model.shows import Shows
from app.protocol.run import RuntimeName
from app.protocol.sandbox import RunnerStatus, RuntimeState, RuntimeStatus
from app.runner.client import RunnerUnavailable
from tests.web.conftest import client_of
from tests.web.fake_runner import FakeRunner

pytestmark = pytest.mark.anyio
HOSTILE = "x = '</pre><script>alert(1)</script>'\n"


@pytest.mark.parametrize(("lang", "title"), [("en", "Course map"), ("zh-Hans", "课程地图")])
async def test_the_map_lists_chapters_and_lessons(client: httpx.AsyncClient, lang: str, title: str) -> None:
    text = (await client.get(f"/{lang}/map")).text
    assert f'<html lang="{lang}">' in text
    assert title in text
    assert f'href="/{lang}/one/first"' in text


@pytest.mark.parametrize(
    ("minutes", "said"),
    [((5,), "1 lesson, about 5 minutes"), ((60, 50), "2 lessons, about 110 minutes"), ((70, 68), "2 lessons, about 2.5 hours")],
)
async def test_the_map_says_how_long_a_chapter_takes(
    make_app: Callable[..., FastAPI], catalogue: Catalogue, minutes: tuple[int, ...], said: str
) -> None:
    (chapter,) = catalogue.course.chapters
    lessons = tuple(msgspec.structs.replace(chapter.lessons[0], id=f"n{one}", minutes=one) for one in minutes)
    app = make_app(catalogue=Catalogue(Course((msgspec.structs.replace(chapter, lessons=lessons),))))
    assert f">{said}<" in (await client_of(app).get("/en/map")).text


async def test_cells_that_only_the_checks_call_are_folded_and_no_part_of_the_progress(
    make_app: Callable[..., FastAPI], catalogue: Catalogue
) -> None:
    (chapter,) = catalogue.course.chapters
    shows = Shows(lines={}, stdout=("printed",))
    cells = tuple(
        Cell(id=name, filename=f"{name}.py", source="a = 1\n", line=1, shows=shows if name == "two" else None, for_checks=name != "own")
        for name in ("own", "one", "two")
    )
    texts = {
        lang: msgspec.structs.replace(text, blocks=tuple(CellPlace(cell.id) for cell in cells))
        for lang, text in chapter.lessons[0].texts.items()
    }
    lesson = msgspec.structs.replace(chapter.lessons[0], cells=cells, texts=texts)
    app = make_app(catalogue=Catalogue(Course((msgspec.structs.replace(chapter, lessons=(lesson,)),))))
    page = (await client_of(app).get("/en/one/first")).text
    (folded,) = re.findall(r'<details class="for-checks">.*?</details>', page, re.DOTALL)
    assert [re.findall(r'<code-cell data-cell="(\w+)"', text) for text in (page, folded)] == [["own", "one", "two"], ["one", "two"]]
    assert "What the checks call" in folded
    assert "<pre>printed</pre>" in folded
    assert 'data-parts="1"' in page


async def test_a_summary_of_a_lesson_has_its_maths_but_no_links(make_app: Callable[..., FastAPI], catalogue: Catalogue) -> None:
    (chapter,) = catalogue.course.chapters
    lede = 'See <a href="/en/one/first">this</a>: <math><mi>x</mi></math>.'
    texts = {lang: msgspec.structs.replace(text, lede_html=lede) for lang, text in chapter.lessons[0].texts.items()}
    lesson = msgspec.structs.replace(chapter.lessons[0], texts=texts)
    app = make_app(catalogue=Catalogue(Course((msgspec.structs.replace(chapter, lessons=(lesson,)),))))
    assert "See this: <math><mi>x</mi></math>." in (await client_of(app).get("/en/one")).text


async def test_a_chapter_says_what_one_can_do_after_it_and_leads_to_its_lessons(
    make_app: Callable[..., FastAPI], catalogue: Catalogue
) -> None:
    (chapter,) = catalogue.course.chapters
    said = msgspec.structs.replace(chapter, outcomes={"en": ("read <graphs>",), "zh-Hans": ("读懂计算图",)})
    client = client_of(make_app(catalogue=Catalogue(Course((said,)))))
    text = (await client.get("/en/one")).text
    assert "<li>read &lt;graphs&gt;</li>" in text
    assert re.findall(r'<a href="(/en/one/\w+)" data-lesson', text) == ["/en/one/first"]
    assert 'rel="next" href="/en/one/first"' in text
    assert 'rel="prev" href="/en/map"' in text  # nothing precedes the first chapter but the map
    assert "<li>读懂计算图</li>" in (await client.get("/zh-Hans/one")).text
    assert 'rel="prev" href="/en/one"' in (await client.get("/en/one/first")).text


@pytest.mark.parametrize("number", [1, None])
async def test_a_chapter_without_a_number_is_shown_without_one(
    number: int | None, make_app: Callable[..., FastAPI], catalogue: Catalogue
) -> None:
    (chapter,) = catalogue.course.chapters
    client = client_of(make_app(catalogue=Catalogue(Course((msgspec.structs.replace(chapter, number=number),)))))
    for path in "/en/map", "/en/one", "/en/one/first":
        text = (await client.get(path)).text
        assert "None" not in text
        assert ("1 · One" in text or "Chapter 1: " in text) is (number is not None)
    assert (await client.get("/api/lessons")).json()["chapters"][0]["number"] == number


async def test_a_lesson_has_its_text_and_its_cells(client: httpx.AsyncClient) -> None:
    text = (await client.get("/en/one/first")).text
    assert "<title>First · Gradroom</title>" in text
    assert "<p>Look:</p>" in text
    cell = r'<code-cell data-cell="(\w+)" data-number="(\d)" .*\s+data-after="([\w ]*)"(?: data-raises="(\w+)")?>'
    assert re.findall(cell, text) == [("make", "1", "", ""), ("fail", "2", "", "ZeroDivisionError"), ("use", "3", "make fail", "")]
    assert text.count("runs after 1, 2") == 1


async def test_the_playground_offers_the_runtimes_that_are_installed(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    states: dict[RuntimeName, RuntimeState] = {"torch": "ready", "tensorflow": "absent", "jax": "idle"}
    runtimes = [RuntimeStatus(name=name, installed=state != "absent", state=state) for name, state in states.items()]
    runner.answer = lambda: RunnerStatus(ready=True, runtimes=runtimes)
    assert 'data-runtimes="torch jax"' in (await client.get("/en/playground")).text


async def test_the_playground_is_there_without_the_runner(client: httpx.AsyncClient, runner: FakeRunner) -> None:
    def gone() -> RunnerStatus:
        raise RunnerUnavailable("gone")

    runner.answer = gone
    assert 'data-runtimes="torch"' in (await client.get("/en/playground")).text


async def test_a_lesson_has_a_switch_to_its_other_language(client: httpx.AsyncClient) -> None:
    assert 'href="/zh-Hans/one/first" lang="zh-Hans"' in (await client.get("/en/one/first")).text


@pytest.mark.parametrize("path", ["/en/one/nothing", "/zh-Hans/one/nothing", "/en/nothing"])
async def test_what_does_not_exist_has_a_page_of_its_own(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path, headers={"accept": "text/html"})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert f'<html lang="{path.split("/")[1]}">' in answer.text


@pytest.mark.parametrize(("cookie", "attribute"), [("dark", ' data-theme="dark"'), ("light", ' data-theme="light"'), ('"><script>', "")])
async def test_the_chosen_theme_is_there_from_the_first_byte(client: httpx.AsyncClient, cookie: str, attribute: str) -> None:
    text = (await client.get("/en/", headers={"cookie": f"theme={cookie}"})).text
    assert f'<html lang="en"{attribute}>' in text


async def test_source_cannot_end_its_element(make_app: Callable[..., FastAPI], catalogue: Catalogue) -> None:
    (chapter,) = catalogue.course.chapters
    (lesson,) = chapter.lessons
    cells = (Cell(id="make", filename="make.py", source=HOSTILE, line=1), *lesson.cells[1:])
    app = make_app(catalogue=Catalogue(Course((replace_lesson(chapter, cells),))))
    text = (await client_of(app).get("/en/one/first")).text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


def replace_lesson(chapter: Chapter, cells: tuple[Cell, ...]) -> Chapter:
    lesson = msgspec.structs.replace(chapter.lessons[0], cells=cells)
    return msgspec.structs.replace(chapter, lessons=(lesson,))


async def test_no_page_has_inline_style_or_a_script_without_its_nonce(client: httpx.AsyncClient) -> None:
    for path in ("/en/", "/en/one/first", "/zh-Hans/playground"):
        text = (await client.get(path)).text
        assert re.findall(r"<style|\sstyle=|\son\w+=", text) == []
        assert re.findall(r'<script(?![^>]*(?:src=|nonce="[\w-]+"|application/json))', text) == []
