"""The names of built files."""

import json
import os
from pathlib import Path

import pytest

from app.web.http.assets import load_assets


def build(folder: Path, name: str) -> None:
    (folder / "manifest.json").write_text(json.dumps({"lesson.js": name}))
    (folder / "pages.json").write_text(
        json.dumps(
            {"imports": {"lesson.js": ["chunk-1.js"]}, "messages": {"lesson.js": ["Run", "Course map", "Unheard of"], "map.js": ["Stop"]}}
        )
    )


def test_a_name_leads_to_the_hashed_file_and_what_it_imports(tmp_path: Path) -> None:
    build(tmp_path, "lesson-1.js")
    assets = load_assets(tmp_path)
    assert assets.address("lesson.js") == "/static/lesson-1.js"
    assert assets.imports("lesson.js") == ["/static/chunk-1.js"]
    assert assets.imports("map.js") == []


def test_a_page_carries_only_words_of_its_scripts_that_are_different(tmp_path: Path) -> None:
    build(tmp_path, "lesson-1.js")
    assert load_assets(tmp_path).words("en", "lesson.js") == {}
    assert load_assets(tmp_path).words("zh-Hans", "lesson.js") == {"Run": "运行", "Course map": "课程地图"}
    assert load_assets(tmp_path).words("zh-Hans", "map.js") == {"Stop": "停止"}


def test_a_new_build_is_noticed(tmp_path: Path) -> None:
    build(tmp_path, "lesson-1.js")
    load_assets(tmp_path)
    build(tmp_path, "lesson-2.js")
    os.utime(tmp_path / "manifest.json", ns=(1, 1))
    assert load_assets(tmp_path).address("lesson.js") == "/static/lesson-2.js"


def test_a_file_that_is_not_built_is_an_error(tmp_path: Path) -> None:
    build(tmp_path, "lesson-1.js")
    with pytest.raises(KeyError):
        load_assets(tmp_path).address("map.js")
