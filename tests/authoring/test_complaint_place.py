from pathlib import Path

import pytest

from app.authoring.author_mode.complaint_place import Complaint, ComplaintPlace, locate
from app.lessons.toml.problem import Problem
from tests.authoring.written_course import write_course


@pytest.mark.parametrize(
    ("file", "line", "place"),
    [
        ("cells/slope.py", 1, ComplaintPlace("cell", "slope")),
        ("recorded/slope-in-jax.json", 2, ComplaintPlace("cell", "slope-in-jax")),
        ("recorded/slope.txt", 1, None),
        ("exercises/square-fix/mistakes/a.py", 1, ComplaintPlace("exercise", "square-fix")),
        ("lesson.toml", 2, None),
        ("lesson.toml", 4, ComplaintPlace("cell", "slope")),
        ("lesson.toml", 8, ComplaintPlace("cell", "slope")),
        ("lesson.toml", 11, ComplaintPlace("prediction", "how-much")),
        ("en.md", 3, None),
        ("en.md", 5, ComplaintPlace("section", "1")),
        ("en.md", 7, ComplaintPlace("section", "1")),
        ("en.md", 9, ComplaintPlace("cell", "slope")),
        ("en.md", 14, ComplaintPlace("section", "2")),
        ("missing.md", 1, None),
    ],
)
def test_a_problem_belongs_to_a_part_of_the_page(tmp_path: Path, file: str, line: int, place: ComplaintPlace | None) -> None:
    toml = write_course(tmp_path) / "one/first/lesson.toml"
    toml.write_text(toml.read_text() + '\n[[prediction]]\nid = "how-much"\n')
    complaint = locate(tmp_path, "one/first", Problem(f"one/first/{file}", line, "so"))
    assert complaint == Complaint(f"one/first/{file}:{line}", "so", place)


def test_a_heading_in_a_fence_is_none(tmp_path: Path) -> None:
    (write_course(tmp_path) / "one/first/en.md").write_text("# T\n\nL.\n\n```python\n## no\n```\n\nText.\n")
    assert locate(tmp_path, "one/first", Problem("one/first/en.md", 9, "so")).place is None


def test_a_problem_elsewhere_has_no_place(tmp_path: Path) -> None:
    assert locate(write_course(tmp_path), "one/second", Problem("one/first/cells/slope.py", 1, "so")).place is None
