"""The glossary, planned lessons and pictures, as a browser gets them."""

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from tests.lessons.course_folder import CourseFolder
from tests.lessons.doing_folder import SVG, add_doing
from tests.web.conftest import client_of

pytestmark = pytest.mark.anyio
NAMES = {  # in no order, with their pinyin
    "重新计算": ("recomputation", "chong xin ji suan"),
    "ctx": ("ctx", ""),
    "传播": ("propagation", "chuan bo"),
    "向量–雅可比积（VJP）": ("vector–Jacobian product", "xiang liang ya ke bi ji"),
    "重量": ("weight", "zhong liang"),
    "Function": ("Function", ""),
    "残留值": ("residuals", "can liu zhi"),
}
DT = re.compile(r"<h2[^>]*>(.)</h2>|<dt[^>]*>(.*?)</dt>")


@pytest.fixture
def course(tmp_path: Path) -> CourseFolder:
    return add_doing(CourseFolder(tmp_path))


@pytest.fixture
def reader(make_app: Callable[..., FastAPI], course: CourseFolder) -> httpx.AsyncClient:
    return client_of(make_app(catalogue=course.load()))


@pytest.mark.parametrize(
    ("lang", "name", "lesson"),
    [("en", "incoming gradient", "Lesson: Later"), ("zh-Hans", '上游梯度 <span lang="en">incoming gradient</span>', "“以后”一课")],
)
async def test_the_glossary_has_every_term_with_its_place(reader: httpx.AsyncClient, lang: str, name: str, lesson: str) -> None:
    text = (await reader.get(f"/{lang}/glossary")).text
    assert f'<dt id="term-incoming" tabindex="-1">{name}</dt>' in text
    assert lesson in text


@pytest.mark.parametrize(
    ("lang", "listed"),
    [
        (
            "en",
            [
                "C",
                "ctx",
                "F",
                "Function",
                "P",
                "propagation",
                "R",
                "recomputation",
                "residuals",
                "V",
                "vector–Jacobian product",
                "W",
                "weight",
            ],
        ),
        ("zh-Hans", ["C", "残留值", "重新计算", "传播", "ctx", "F", "Function", "X", "向量–雅可比积（VJP）", "Z", "重量"]),
    ],
)
async def test_terms_are_in_the_order_of_the_alphabet_and_of_pinyin(
    make_app: Callable[..., FastAPI], course: CourseFolder, lang: str, listed: list[str]
) -> None:
    glossary = (course.folder / "glossary.toml").read_text(encoding="utf-8")
    for number, (chinese, (english, pinyin)) in enumerate(NAMES.items()):
        glossary += (
            f'[term-{number}]\nname.en = "{english}"\nname.zh-Hans = "{chinese}"\npinyin = "{pinyin}"\ntext.en = "a"\ntext.zh-Hans = "a"\n'
        )
    course.write("glossary.toml", glossary)
    text = (await client_of(make_app(catalogue=course.load())).get(f"/{lang}/glossary")).text
    found = [(letter or name).split(" <span")[0] for letter, name in DT.findall(text)]
    assert [one for one in found if one not in ("I", "incoming gradient", "S", "上游梯度")] == listed


async def test_a_letter_of_the_reference_leads_to_its_place_in_the_glossary(reader: httpx.AsyncClient) -> None:
    letters = re.findall(r'href="/en/glossary#(letter-.)">', (await reader.get("/en/reference")).text)
    glossary = (await reader.get("/en/glossary")).text
    assert letters == ["letter-i"]
    assert f'<h2 id="{letters[0]}">' in glossary
    assert f'href="#{letters[0]}"' in glossary


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
