"""The words of a diagnosis are those of its file, in the language of the request, whatever the child sent."""

from pathlib import Path
from typing import Literal

import pytest

from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.records.diagnosis import Diagnosis, Edit
from app.protocol.records.record import Span
from app.protocol.run import Lang

FILE = """
severity = "warning"
message.en = "{name} of shape {shape} is off by {error}."
message.zh-Hans = "{name}（形状 {shape}）差了 {error}。"
change.en = "Save {name}."
change.zh-Hans = "保存 {name}。"
lesson = "backward-twice/sinh-bad"
seen = ["probe"]
wrong = ["x"]
near_misses = ["y"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "function").mkdir()
    (tmp_path / "function" / "off.toml").write_text(FILE)
    return tmp_path


def make_diagnosis(code: str = "off", **values: float | list[int] | str) -> Diagnosis:
    forged = Edit(span=Span(line=1), text="import os")
    return Diagnosis(id="d", code=code, values=values, title="t", message="believe me", change="nothing", lesson="a/b", edits=[forged])


def put_into_words(folder: Path, diagnosis: Diagnosis, lang: Lang = "en") -> Diagnosis:
    load_pitfalls(folder).put_into_words(diagnosis, lang, lambda _: "")
    return diagnosis


def test_a_diagnosis_is_worded_in_the_language_of_its_run(folder: Path) -> None:
    diagnosis = put_into_words(folder, make_diagnosis(name="ctx.e", shape=[3], error=0.25))
    assert (diagnosis.message, diagnosis.change) == ("ctx.e of shape (3,) is off by 0.25.", "Save ctx.e.")
    assert (diagnosis.lesson, diagnosis.severity) == ("backward-twice/sinh-bad", "warning")
    assert (diagnosis.title, diagnosis.edits) == ("", [])
    assert put_into_words(folder, diagnosis, "zh-Hans").message == "ctx.e（形状 (3,)）差了 0.25。"


@pytest.mark.parametrize(("sent", "told"), [("error", "warning"), ("warning", "warning"), ("hint", "hint")])
def test_the_child_can_make_a_diagnosis_milder_and_no_graver(
    folder: Path, sent: Literal["error", "warning", "hint"], told: Literal["error", "warning", "hint"]
) -> None:
    diagnosis = make_diagnosis(name="x", shape=[], error=1)
    diagnosis.severity = sent
    assert put_into_words(folder, diagnosis).severity == told


def test_a_code_without_a_file_has_no_words(folder: Path) -> None:
    diagnosis = put_into_words(folder, make_diagnosis("newer"))
    assert (diagnosis.message, diagnosis.change, diagnosis.lesson, diagnosis.title, diagnosis.edits) == (None, None, None, "", [])


def test_a_value_that_the_words_mention_must_be_there(folder: Path) -> None:
    diagnosis = make_diagnosis(name="x")
    with pytest.raises(ValueError, match="off: no value 'shape'"):
        put_into_words(folder, diagnosis)
    assert (diagnosis.message, diagnosis.change, diagnosis.lesson, diagnosis.edits) == (None, None, None, [])


@pytest.mark.parametrize("text", [FILE.replace("message.en", "massage.en"), FILE + "more = 1", "message", ""])
def test_a_file_that_is_wrong_is_named(folder: Path, text: str) -> None:
    (folder / "function" / "bad.toml").write_text(text)
    with pytest.raises(ValueError, match=r"function/bad\.toml"):
        load_pitfalls(folder)


def test_a_folder_that_is_no_subject_is_refused(folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "other.toml").write_text(FILE)
    with pytest.raises(ValueError, match=r"elsewhere/other\.toml"):
        load_pitfalls(folder)


def test_a_code_is_given_once(folder: Path) -> None:
    (folder / "torch").mkdir()
    (folder / "torch" / "off.toml").write_text(FILE)
    with pytest.raises(ValueError, match=r"torch/off\.toml: another folder"):
        load_pitfalls(folder)


def test_a_large_whole_number_is_shown_whole(folder: Path) -> None:
    diagnosis = put_into_words(folder, make_diagnosis(name="x", shape=[2, 3], error=1_234_567))
    assert diagnosis.message == "x of shape (2, 3) is off by 1234567."
