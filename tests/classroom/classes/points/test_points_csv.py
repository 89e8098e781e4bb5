"""The files for Canvas and Moodle, read back as the importers of the two do."""

import csv
import io
import re

import pytest

from app.classroom.classes.points.points_csv import GradedExercise, GradedMember, format_points, write_canvas, write_moodle

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


def decode(content: bytes) -> str:
    """Both files begin with a byte order mark, by which Excel knows the encoding."""
    assert content.startswith(b"\xef\xbb\xbf")
    return content.decode("utf-8")


class CanvasImporter:
    """Reads a file as Canvas's gradebook importer does, which does not know of the byte order mark. `students` are rows of the file."""

    def __init__(self, content: bytes) -> None:
        text = decode(content)
        assert self.find_delimiter(text.splitlines()[:3]) == ","
        header, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        assert "Student" in header[0] and "ID" in header[1]
        assert re.search(r"SIS\s+User\s+ID", header[2]) and re.search(r"SIS\s+Login\s+ID", header[3]) and "Section" in header[4]
        self.assignments = header[5:]
        # a title that ends in a number in brackets would be taken for another assignment's number, and each is found by its heading
        assert not any(re.fullmatch(r".*\s\(\d+\)", one) for one in self.assignments)
        assert len(set(header)) == len(header)
        self.possible: list[str] = []
        self.students: list[list[str]] = []
        for row in rows:
            assert len(row) == len(header)
            if "Points Possible" in row[0]:
                self.possible = row[5:]
            else:
                self.students.append(row)

    @staticmethod
    def find_delimiter(lines: list[str]) -> str:
        counts = {mark: {len(next(csv.reader([line], delimiter=mark))) for line in lines} for mark in ",;"}
        fields = {mark: found.pop() if len(found) == 1 else 0 for mark, found in counts.items()}
        return ";" if fields[";"] > fields[","] else ","


class MoodleImporter:
    """Reads a file as Moodle's import of grades does: the grades by the number with which it looks people up. None stands for no grade."""

    def __init__(self, content: bytes) -> None:
        rows = list(csv.reader(io.StringIO(decode(content).removeprefix("\ufeff"), newline=""), strict=True))
        self.headers = [one.strip() for one in rows[0]]
        self.grades: dict[str, list[float | None]] = {}
        found: str | None = None
        for row in rows[1:]:
            assert len(row) == len(self.headers)
            number = row[self.headers.index("ID number")].strip()
            if number not in ("", "0"):  # PHP's `empty`; the importer then goes on with who was found last
                found = number
            assert found is not None and found not in self.grades, "the grades of somebody else were overwritten"
            self.grades[found] = [None if cell.strip() == "-" else float(cell) for cell in row[2:]]


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
