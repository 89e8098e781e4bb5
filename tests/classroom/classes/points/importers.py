"""The files for Canvas and Moodle, read as the importers of the two read them."""

import csv
import io
import re


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
