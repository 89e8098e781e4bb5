"""Each lesson of our course says under which word people look for it, and what one is able to do after it."""

import re
import tomllib
from collections import Counter
from typing import Any

import pytest

from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import LANGS
from app.protocol.run import Lang
from app.settings import PROJECT
from tests.lessons.course_folder import CourseFolder

LESSONS = {
    str(file.parent.relative_to(PROJECT / "lessons")): tomllib.loads(file.read_text(encoding="utf-8"))
    for file in sorted(PROJECT.glob("lessons/*/*/lesson.toml"))
}


def all_of(key: str, lang: Lang) -> dict[str, Any]:
    return {path: lesson[key][lang] for path, lesson in LESSONS.items() if key in lesson}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("key", ["term", "ability"])
def test_every_lesson_has_one_of_its_own(key: str, lang: Lang) -> None:
    texts = all_of(key, lang)
    assert LESSONS.keys() - texts.keys() == set()
    assert [text for text, count in Counter(texts.values()).items() if count > 1] == []


def test_names_of_the_api_are_the_same_in_both_languages() -> None:
    names = {lang: {path: re.findall("`[^`]+`", text) for path, text in all_of("term", lang).items()} for lang in LANGS}
    assert names["en"].keys() == names["zh-Hans"].keys()
    assert [path for path, found in names["en"].items() if found and names["zh-Hans"][path] and found != names["zh-Hans"][path]] == []


def test_an_ability_is_a_line_that_begins_with_a_verb_and_has_no_full_stop() -> None:
    assert [path for path, text in all_of("ability", "en").items() if not re.fullmatch(r"[A-Z][a-z]+ .*[^.]", text)] == []
    assert [path for path, text in all_of("ability", "zh-Hans").items() if text.endswith("。")] == []


def test_the_loader_gives_both_in_every_language(course: CourseFolder) -> None:
    lines = 'term.en = "`no_grad`, leaf"\nterm.zh-Hans = "叶子张量"\nability.en = "Stop a record"\nability.zh-Hans = "停止记录"'
    course.replace("one/first/lesson.toml", "minutes = 5", f"minutes = 5\n{lines}")
    catalogue: Catalogue = course.load()
    assert catalogue.problems == ()
    first, second = catalogue.course.lessons
    assert first.term == {"en": "`no_grad`, leaf", "zh-Hans": "叶子张量"}
    assert first.ability == {"en": "Stop a record", "zh-Hans": "停止记录"}
    assert (second.term, second.ability) == ({}, {})
