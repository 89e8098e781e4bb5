"""Which Chinese wordings are reported. None of them is in our own texts."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.lessons.texts.wording import find_wording_faults
from app.locale.messages import load_entries
from app.settings import PROJECT

LESSONS = PROJECT / "lessons"
CHINESE = re.compile(r"[\u4e00-\u9fff]")

NOBODY = "没有人"
OUR_WORDS = (
    (r"(?<!本)(?<!整个)课程(?!地图|结束)", "课 or 本课: 课程 is the whole course"),
    (r"直通估计(?!器)", "直通估计器"),
    (r"第[一二三四五六]个(?:勒让德|切比雪夫)", "the degree of a polynomial, not its place"),
    (r"(?:导数|梯度|偏导数)组成的表", "……排成的矩阵"),
    (r"(?:数值|解析)一侧", "the columns' names: 数值法, backward, 自动求导"),
    (r"\{output\} 对 \{input\}(?! 的)|输出 \d 对 [a-z]+\b(?! 的)", "……对……的导数"),
    (r"图样|防护的异常", "分布 or 规律; 防护抛出的异常"),
    (r"按名称禁用", "禁用了某个函数，检查时只看名称"),
    (r"一小部分梯度", "学习率与梯度的乘积"),
    (r"看不见的(?:运算|代码)|自动求导看不见", "无法跟踪"),
    (NOBODY, "no people in what code does"),
    (r"# Step \d", "a mark in every reader's language"),
)
NAMED_IN_ENGLISH = (
    *("double-backward", "incoming-gradient", "jacobian-vector-product", "kink", "residuals", "straight-through", "stride"),
    *("surrogate-gradient", "tile", "undefined-gradient", "vector-jacobian-product", "version-counter"),
)


def strings_of(value: Any) -> Iterator[str]:
    """Return all texts in the data of a TOML file."""
    if isinstance(value, str):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from strings_of(part)


def python_strings(text: str) -> Iterator[str]:
    yield from (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant) and isinstance(node.value, str))


def our_chinese() -> Iterator[tuple[str, str]]:
    """Return each Chinese text that people read, by its place; those of lessons by paragraph."""
    for file in (*LESSONS.glob("**/zh-Hans.md"), *PROJECT.glob("app/authoring/template/**/zh-Hans.md")):
        yield from ((str(file), part) for part in file.read_text(encoding="utf-8").split("\n"))
    for file in (
        *LESSONS.glob("*.toml"),
        *LESSONS.glob("*/chapter.toml"),
        *LESSONS.glob("*/*/lesson.toml"),
        *PROJECT.glob("app/pitfalls/*/*.toml"),
    ):
        yield from ((str(file), text.strip()) for text in strings_of(tomllib.loads(file.read_text(encoding="utf-8"))))
    for file in LESSONS.glob("**/exercises/**/*.py"):
        text = file.read_text(encoding="utf-8")
        if CHINESE.search(text):
            yield from ((str(file), string) for string in python_strings(text))
    yield from (("gradroom.po", text) for text in load_entries("zh-Hans").values())


ALL = [(place.removeprefix(f"{PROJECT}/"), text) for place, text in our_chinese() if CHINESE.search(text)]


def test_there_is_chinese_in_every_kind_of_file() -> None:
    kinds = {Path(place).suffix for place, _ in ALL}
    assert kinds == {".md", ".toml", ".py", ".po"}
    assert len(ALL) > 4000


def test_none_of_our_chinese_has_a_fault() -> None:
    assert [f"{place}: {fault}" for place, text in ALL for fault in find_wording_faults(text)] == []


@pytest.mark.parametrize(("pattern", "expected"), OUR_WORDS)
def test_one_word_for_one_thing(pattern: str, expected: str) -> None:
    found = [(place, text) for place, text in ALL if re.search(pattern, text)]
    if pattern == NOBODY:  # the interface speaks of people, who are in a class or raise a hand
        found = [one for one in found if one[0] != "gradroom.po"]
    assert [f"{place}: expected {expected}, got {text}" for place, text in found] == []


def test_starters_speak_no_language_in_their_first_line() -> None:
    assert [str(file) for file in LESSONS.glob("**/starter.py") if file.read_text(encoding="utf-8").startswith("# Step")] == []


@pytest.mark.parametrize("name", NAMED_IN_ENGLISH)
def test_rare_terms_are_introduced_with_their_english_name(name: str) -> None:
    places = [place for place in lessons_in_order() if f"(term:{name})" in text_of(place)]
    assert re.search(rf"\(term:{name}\)（[A-Za-z]", "".join(text_of(place) for place in places[:2])), places[:2]


def lessons_in_order() -> Iterator[str]:
    for chapter in tomllib.loads((LESSONS / "course.toml").read_text(encoding="utf-8"))["chapters"]:
        for lesson in tomllib.loads((LESSONS / chapter / "chapter.toml").read_text(encoding="utf-8"))["lessons"]:
            yield f"{chapter}/{lesson}"


def text_of(lesson: str) -> str:
    return (LESSONS / lesson / "zh-Hans.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("共 500 · 500 个数。", "× between numbers"),
        (r"约 $3.4 \cdot 10^{38}$。", "× between numbers"),
        (r"$10 \cdot (2 - 5)$", "× between numbers"),
        ("步长仍会跨过折点，0.65 对 1。", "both sides of a comparison"),
        ("斜率是普通的数。", "标量 for a tensor"),
        ("`limit` 是 Python 数，默认为 1。", "标量 for a tensor"),
        ("两个都是 Python 的数。", "标量 for a tensor"),
        ("记录器会跟踪 `x`。", "监视"),
        ("累积梯度", "累加"),
        ("看表格：左侧：全是零。", "one colon"),
        ("不成立。梯度早已算出。", "a sentence with a subject"),
        ("是 8.82。", "a sentence with a subject"),
        ("它返回 `x`，它的梯度由它决定。", "fewer of 它"),
        ("先被保存又被改动。", "fewer of 它"),
        ("梯度,也就是导数。", "full-width punctuation"),
        ("在PyTorch里", "a space between"),
        ("用`x`计算", "a space between"),
        ("## 当梯度为零时", "a heading"),
    ],
)
def test_a_fault_of_wording_is_told(text: str, fault: str) -> None:
    assert any(fault in message for message in find_wording_faults(text)), text


@pytest.mark.parametrize(
    "text",
    [
        "共 500 × 500 个数，(4, 2) · (2, 3) 可以相乘。",
        r"$f \cdot v$ 和 $2 \cdot x$，以及 $u \cdot Jv$。",
        "对 3 求和；输出 0 对 `x` 的导数。",
        "数值法得 0.65，backward 得 1。",
        "Python 数值与 Python 数据不同。",
        "看表格：左侧全是零。右侧：都对。",
        "`x` 是 3，所以结果对了。",
        "- 成立",
        "```python\nx = 3 # 1 · 2, 不成立\n```",
        "`a · b：c：d`",
    ],
)
def test_what_is_well_written_is_told_nothing(text: str) -> None:
    assert list(find_wording_faults(text)) == []
