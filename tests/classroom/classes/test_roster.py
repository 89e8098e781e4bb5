"""Rosters are read and written as spreadsheets do, and a wrong line is named."""

import csv
import io

import pytest
from sqlalchemy import Connection

from app.classroom.classes.class_faults import AssistantOnly, BadRoster, ClassFull
from app.classroom.classes.join_code import JOIN_LETTERS, LETTERS, RESUME_LETTERS, draw_code, format_code, normalize_code
from app.classroom.classes.member_changes import list_members
from app.classroom.classes.members import MOST_MEMBERS, join
from app.classroom.classes.roster import MOST_BYTES, RosterLine, check_roster, import_roster, write_roster
from tests.classroom.audit_entries import list_newest
from tests.classroom.classes.sample_classes import NOW_MS, join_sample, make_sample, names_in

FORMULA_NAMES = ["=1+1", "+1", "-1", "@x", "'=quoted", "plain, “quoted”"]


def read_roster(data: bytes) -> list[RosterLine]:
    """Return the lines of a roster, or raise the first fault."""
    lines, faults = check_roster(data)
    if faults:
        raise faults[0]
    return lines


@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee,s1\nBob,s2\n",
        "\ufeffname;number\r\nAnn Lee;s1\r\n\r\nBob;s2\r\n",
        "学号\t姓名\ns1\t Ann  Lee \ns2\tBob",
        'Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"Ann Lee",77,s1,ann,A\nBob,78,s2,bob,A\n',
        "First name,Last name,ID number,Email\nAnn,Lee,s1,a@b\nBob,,s2,b@b\n",
    ],
    ids=["no titles", "semicolons", "Chinese", "Canvas", "Moodle"],
)
def test_what_others_export_is_read(text: str) -> None:
    assert [(one.name, one.number) for one in read_roster(text.encode())] == [("Ann Lee", "s1"), ("Bob", "s2")]


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", 1, "at least one name"),
        (b"name,number\n", 1, "at least one name"),
        (b"Ann\nB\xffb\n", 2, "UTF-8"),
        ("Ann\nBob\n".encode("utf-16"), 1, "UTF-8"),
        (b"Ann\n\na\x07b\n", 3, "none of them invisible"),
        ("Ann\nBob\u202e\n".encode(), 2, "none of them invisible"),
        (b"Ann,1\n" + b"x" * 65 + b",2\n", 2, "from 1 to 64"),
        (b"Ann,1\n,2\n", 2, "from 1 to 64"),
        (b"Ann,1\nBob," + b"9" * 33, 2, "at most 32"),
        (b"Ann,a1\nBob,2\nEve,A1\n", 3, "each student number once"),
        (b'Ann,1\n"Bob,2\n', 2, "quotation marks"),
        (b"Ann,1\n" + b"x," * 100 + b"\n", 2, "at most 100 columns"),
        (b"".join(b"n%d\n" % number for number in range(MOST_MEMBERS + 2)), MOST_MEMBERS + 2, "1000 lines"),
        (b"x" * (MOST_BYTES + 1), 1, "at most 1024 kB"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named(data: bytes, line: int, words: str) -> None:
    with pytest.raises(BadRoster, match=words) as fault:
        read_roster(data)
    assert fault.value.line == line


def test_who_is_on_the_roster_is_added_once_and_found_when_they_join(connection: Connection) -> None:
    sample = make_sample(connection, asks_number=True)
    join_sample(connection, sample, "early", "Anja", "S1")
    lines = read_roster(b"Ann,s1\nBob,s2\nEve,\nZoe,s4\n")
    import_roster(connection, sample.teacher, sample.id, lines, NOW_MS)
    assert list_newest(connection, 1)[0].detail == {"added": 3, "changed": 1}
    assert names_in(connection, sample.id) == [("Anja", "s1"), ("Bob", "s2"), ("Eve", None), ("Zoe", "s4")]
    import_roster(connection, sample.teacher, sample.id, read_roster(b"Robert,s2\nEVE,s3\nAnn,s1\n"), NOW_MS)
    assert list_newest(connection, 1)[0].detail == {"added": 0, "changed": 2}
    assert names_in(connection, sample.id) == [("Anja", "s1"), ("Robert", "s2"), ("EVE", "s3"), ("Zoe", "s4")]
    before = list_members(connection, sample.id)
    joined = join(connection, "bob", sample.code, "Bobby", "S2", False, NOW_MS)
    assert joined.member_id == next(one.id for one in before if one.number == "s2")
    assert names_in(connection, sample.id) == [("Anja", "s1"), ("Bobby", "S2"), ("EVE", "s3"), ("Zoe", "s4")]
    with pytest.raises(AssistantOnly):
        import_roster(connection, sample.helper, sample.id, lines, NOW_MS)
    many = read_roster(b"".join(b"n%d\n" % number for number in range(MOST_MEMBERS - 3)))
    with pytest.raises(ClassFull):
        import_roster(connection, sample.teacher, sample.id, many, NOW_MS)


def test_without_numbers_a_name_finds_the_only_place_that_has_it(connection: Connection) -> None:
    sample = make_sample(connection)
    import_roster(connection, sample.teacher, sample.id, read_roster(b"Ann,s1\nBob,\nBob,\n"), NOW_MS)
    for learner, name in (("a", "ANN"), ("b", "Ann"), ("c", "Bob")):
        join_sample(connection, sample, learner, name)
    assert names_in(connection, sample.id) == [("ANN", "s1"), ("Bob", None), ("Bob", None), ("Ann", None), ("Bob", None)]


def test_a_roster_that_is_written_is_read_again_and_no_formula_is_in_it(connection: Connection) -> None:
    sample = make_sample(connection, asks_number=True)
    for number, name in enumerate(FORMULA_NAMES):
        join_sample(connection, sample, f"learner {number}", name, f"-{number}")
    data = write_roster(connection, sample.id)
    assert data.startswith(b"\xef\xbb\xbfName,Number,Joined,Left\r\n")
    cells = [cell for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    read = {(one.name, one.number) for one in read_roster(data)}
    assert read == {*names_in(connection, sample.id)} - {("'=quoted", "-4")} | {("=quoted", "-4")}  # as a spreadsheet would show it
    before = list_members(connection, sample.id)
    import_roster(connection, sample.teacher, sample.id, read_roster(data), NOW_MS)
    assert list_newest(connection, 1)[0].detail == {"added": 0, "changed": 0}
    assert list_members(connection, sample.id) == before


def test_a_code_is_read_as_people_write_it() -> None:
    code = draw_code(RESUME_LETTERS)
    assert len(draw_code(JOIN_LETTERS)) == 8 and len(code) == 16 and {*code} <= {*LETTERS}
    assert format_code("ABCD1234") == "ABCD-1234"
    full_width = "".join(chr(ord(letter) + 0xFEE0) for letter in "abcd1234")
    for typed in ("abcd1234", " AB cd-12 34\n", "abcdI234", "abcdl234", "abcd–1234", full_width):
        assert normalize_code(typed) == "ABCD1234"
    assert normalize_code("OOOOoooo") == "00000000"
    assert [normalize_code(typed) for typed in ("", "abc", "abcd123u", "abcd12345", "-" * 5000 + "abcd1234", "ABCD\x001234")] == [""] * 6
