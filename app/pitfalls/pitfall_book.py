"""The words about each diagnosis, in both languages: a file `<code>.toml` beside this module. Imports no framework.

A child sends a code and values (app.protocol.records.diagnosis); the runner adds the words.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from app.protocol.records.diagnosis import Diagnosis
from app.protocol.run import Lang

FOLDER = Path(__file__).parent


class DiagnosisWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The words about one diagnosis: `message` says what is wrong and why, `change` says what to try.

    In both, `{name}` stands for a value of the diagnosis. `lesson` is the lesson that explains it, as "chapter/lesson".
    """

    message: dict[Lang, str]
    change: dict[Lang, str]
    lesson: str | None = None


@cache
def load_diagnosis_words(folder: Path = FOLDER) -> Mapping[str, DiagnosisWords]:
    """Load the words of all diagnoses, by code. Raises ValueError naming the file that is wrong."""
    words: dict[str, DiagnosisWords] = {}
    for file in sorted(folder.glob("*.toml")):
        try:
            words[file.stem] = msgspec.convert(tomllib.loads(file.read_text("utf-8")), DiagnosisWords)
        except (msgspec.ValidationError, ValueError) as error:
            raise ValueError(f"{file.name}: {error}") from error
    return words


def put_into_words(diagnosis: Diagnosis, lang: Lang, words: Mapping[str, DiagnosisWords]) -> None:
    """Set `message`, `change` and `lesson` of a diagnosis. For a code without words, they become None.

    Raises ValueError if the diagnosis lacks a value that the words mention.
    """
    found = words.get(diagnosis.code)
    diagnosis.message = diagnosis.change = diagnosis.lesson = None
    if found is None:
        return
    values = {name: _show(value) for name, value in diagnosis.values.items()}
    try:
        diagnosis.message, diagnosis.change = (text[lang].strip().format_map(values) for text in (found.message, found.change))
    except (KeyError, IndexError) as error:
        raise ValueError(f"{diagnosis.code}: no value {error}") from error
    diagnosis.lesson = found.lesson


def _show(value: object) -> str:
    if isinstance(value, list):
        return f"({', '.join(map(str, value))}{',' if len(value) == 1 else ''})"
    return f"{value:g}" if isinstance(value, float) else str(value)
