"""The words of a diagnosis are those of its file, in the language of the request, whatever the child sent."""

from pathlib import Path

import pytest

from app.diagnoses.diagnosis_words import load_diagnosis_words, put_into_words
from app.protocol.records.diagnosis import Diagnosis
from app.settings import PROJECT

FILE = """
message.en = "{name} of shape {shape} is off by {error}."
message.zh-Hans = "{name}（形状 {shape}）差了 {error}。"
change.en = "Save {name}."
change.zh-Hans = "保存 {name}。"
lesson = "backward-twice/sinh-bad"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "off.toml").write_text(FILE)
    return tmp_path


def make_diagnosis(code: str = "off", **values: float | list[int] | str) -> Diagnosis:
    return Diagnosis(id="diagnosis-1", code=code, severity="error", values=values, message="believe me", change="nothing", lesson="a/b")


def test_a_diagnosis_is_worded_in_the_language_of_its_run(folder: Path) -> None:
    diagnosis = make_diagnosis(name="ctx.e", shape=[3], error=0.25)
    put_into_words(diagnosis, "en", load_diagnosis_words(folder))
    assert (diagnosis.message, diagnosis.change) == ("ctx.e of shape (3,) is off by 0.25.", "Save ctx.e.")
    assert diagnosis.lesson == "backward-twice/sinh-bad"
    put_into_words(diagnosis, "zh-Hans", load_diagnosis_words(folder))
    assert diagnosis.message == "ctx.e（形状 (3,)）差了 0.25。"


def test_a_code_without_words_has_none(folder: Path) -> None:
    diagnosis = make_diagnosis("newer")
    put_into_words(diagnosis, "en", load_diagnosis_words(folder))
    assert (diagnosis.message, diagnosis.change, diagnosis.lesson) == (None, None, None)


def test_a_value_that_the_words_mention_must_be_there(folder: Path) -> None:
    with pytest.raises(ValueError, match="off: no value 'shape'"):
        put_into_words(make_diagnosis(name="x"), "en", load_diagnosis_words(folder))


@pytest.mark.parametrize("text", [FILE.replace("message.en", "massage.en"), FILE + "more = 1", "message", ""])
def test_a_file_that_is_wrong_is_named(folder: Path, text: str) -> None:
    (folder / "bad.toml").write_text(text)
    load_diagnosis_words.cache_clear()
    with pytest.raises(ValueError, match=r"bad\.toml"):
        load_diagnosis_words(folder)


def test_the_files_there_are_can_be_read() -> None:
    assert all(words.message.keys() == words.change.keys() == {"en", "zh-Hans"} for words in load_diagnosis_words().values())


def test_the_lessons_that_they_name_are_there() -> None:
    lessons = {words.lesson for words in load_diagnosis_words().values()} - {None}
    assert all((PROJECT / "lessons" / lesson / "lesson.toml").is_file() for lesson in lessons if lesson)


def test_a_large_whole_number_is_shown_whole(folder: Path) -> None:
    diagnosis = make_diagnosis(name="x", shape=[2, 3], error=1_234_567)
    put_into_words(diagnosis, "en", load_diagnosis_words(folder))
    assert diagnosis.message == "x of shape (2, 3) is off by 1234567."
