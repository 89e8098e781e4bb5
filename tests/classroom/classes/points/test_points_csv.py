"""The files for Canvas and Moodle, read back as the importers of the two do."""

import csv
import io

import pytest

from app.classroom.classes.points.points_csv import GradedExercise, GradedMember, format_points, write_canvas, write_moodle
from tests.classroom.classes.points.importers import CanvasImporter, MoodleImporter, decode

EXERCISES = [
    GradedExercise(id="basics/first/square", title='Square, or "the first"', worth=2),
    GradedExercise(id="basics/first/cube", title="=Würfel (2026)", worth=1),
]
MEMBERS = [
    GradedMember(name="王小明", number="00123", points={"basics/first/square": 150, "basics/first/cube": 0}),
    GradedMember(name='=HYPERLINK("x")', number="+49", points={"basics/first/cube": 67}),
    GradedMember(name="Ada, Countess", number=None, points={"basics/first/square": 200}),
    GradedMember(name="Nul", number="0", points={}),
]


def test_canvas_reads_back_what_was_written() -> None:
    read = CanvasImporter(write_canvas("Monday; Tuesday", EXERCISES, MEMBERS))
    assert read.assignments == ['Square, or "the first" (basics/first/square)', "'=Würfel (2026) (basics/first/cube)"]
    assert read.possible == ["2", "1"]
    assert [(row[0], row[1], row[2], row[3]) for row in read.students] == [
        ("王小明", "", "00123", ""),
        ('\'=HYPERLINK("x")', "", "'+49", ""),
        ("Ada, Countess", "", "", ""),
        ("Nul", "", "0", ""),
    ]
    assert [row[5:] for row in read.students] == [["1.5", "0"], ["", "0.67"], ["2", ""], ["", ""]]
    assert {row[4] for row in read.students} == {"Monday; Tuesday"}


def test_moodle_reads_back_what_was_written_and_gives_nobody_the_grades_of_another() -> None:
    read = MoodleImporter(write_moodle(EXERCISES, MEMBERS))
    assert read.headers[2:] == ['Square, or "the first" (basics/first/square)', "'=Würfel (2026) (basics/first/cube)"]
    assert read.grades == {"00123": [1.5, 0.0], "'+49": [None, 0.67]}


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_no_text_of_a_person_is_a_formula(start: str) -> None:
    member = GradedMember(name=f"{start}1+1", number=f"{start}2", points={})
    for content in (write_canvas(f"{start}3", EXERCISES, [member]), write_moodle(EXERCISES, [member])):
        rows = list(csv.reader(io.StringIO(decode(content).removeprefix("\ufeff"), newline="")))
        cells = [cell for cell in rows[-1] if cell not in ("", "-")]
        assert len(cells) >= 2
        assert all(cell.startswith("'") for cell in cells)


def test_points_are_written_without_superfluous_zeros() -> None:
    assert [format_points(points) for points in (0, 5, 10, 67, 100, 150, 1000, 100_000)] == [
        "0", "0.05", "0.1", "0.67", "1", "1.5", "10", "1000",
    ]  # fmt: skip
