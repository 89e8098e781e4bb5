"""Writes the titles of the course's pages into a file, from which the pictures for links are drawn."""

import json
import tomllib
from pathlib import Path
from typing import Any

from bootstrap.places import LESSONS, TITLES

LANGS = ("en", "zh-Hans")


def write() -> None:
    """Write the file, unless it has the same titles already."""
    text = json.dumps(collect(), ensure_ascii=False, indent=1, sort_keys=True)
    if not TITLES.is_file() or TITLES.read_text(encoding="utf-8") != text:
        TITLES.write_text(text, encoding="utf-8")


def collect() -> dict[str, dict[str, str]]:
    """Return the titles by language and the page's path, such as "en/autograd/graph".

    A file that cannot be read has no picture of its own: what is wrong with it is said by those who load the course.
    """
    titles = {}
    for file in LESSONS.glob("*/chapter.toml"):
        chapter = read(file)
        for lang in LANGS:
            name = chapter.get("title", {}).get(lang)
            if not isinstance(name, str):
                continue
            label = f"{chapter['number']} · {name}" if "number" in chapter else name
            titles[f"{lang}/{file.parent.name}"] = {"lang": lang, "title": name, "chapter": "", "term": ""}
            titles |= {path: one | {"chapter": label} for path, one in of_lessons(file.parent, lang).items()}
    return titles


def of_lessons(chapter: Path, lang: str) -> dict[str, dict[str, str]]:
    """Return the titles of a chapter's lessons. A lesson's title is the first line of its text."""
    titles = {}
    for file in chapter.glob(f"*/{lang}.md"):
        title = file.read_text(encoding="utf-8").partition("\n")[0].removeprefix("#").strip()
        term = read(file.parent / "lesson.toml").get("term", {}).get(lang, "")
        titles[f"{lang}/{chapter.name}/{file.parent.name}"] = {"lang": lang, "title": plain(title), "term": plain(term)}
    return titles


def plain(markdown: str) -> str:
    return markdown.replace("`", "").replace("*", "")


def read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError):
        return {}
