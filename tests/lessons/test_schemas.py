"""The JSON schemas in docs/schemas are those of the types in files.py, and the form checker refuses what these types refuse."""

import json
import tomllib
from typing import get_args

import msgspec
import pytest

from app.lessons import schemas
from app.lessons.model.exercise import Kind
from app.lessons.model.prediction import Asks
from app.lessons.schemas import FILES
from app.lessons.toml.exercise_file import ExerciseFile
from app.lessons.toml.form import find_faults, schema_of
from app.lessons.toml.prediction_tables import PredictionTable


@pytest.mark.parametrize("name", FILES)
def test_the_schemas_in_the_docs_are_those_of_the_types(name: str) -> None:
    written = json.loads((schemas.FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    assert written == schemas.make_schema(name), "python -m app.lessons.schemas writes them"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lesson", "minutes = 0"),
        ("lesson", "minutes = 1\nminuts = 2"),
        ("lesson", 'minutes = 1\n[[cell]]\nid = "A"'),
        ("exercise", 'kind = "blanc"'),
        ("glossary", '[a]\nname.en = "a"'),
        ("chapter", 'number = 1\nlessons = []\ntitle.en = "a"'),
        ("course", "chapters = 1"),
    ],
)
def test_what_does_not_fit_has_a_fault_and_is_not_converted(name: str, text: str) -> None:
    data = tomllib.loads(text)
    assert list(find_faults(data, schema_of(FILES[name])))
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(data, FILES[name])


def test_every_kind_of_exercise_and_prediction_has_its_type() -> None:
    assert [form.__struct_config__.tag for form in get_args(ExerciseFile)] == list(get_args(Kind))
    assert [form.__struct_config__.tag for form in get_args(PredictionTable)] == list(get_args(Asks))
