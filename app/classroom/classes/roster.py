"""Rosters: the names and student numbers of a class as a CSV file.

If the first line has titles, they say which columns have the names and the numbers. Titles of exports of Canvas and Moodle, and Chinese
titles, are recognised. Otherwise, the first column has the names and the second the numbers.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, insert, update

from app.classroom.classes.class_faults import BadClassValue, BadRoster
from app.classroom.classes.class_notices import announce
from app.classroom.classes.class_staff import append_audit, require_instructor
from app.classroom.classes.csv_file import BOM, read_cell, write_csv
from app.classroom.classes.member_changes import ListedMember, list_members
from app.classroom.classes.members import MOST_MEMBERS, check_shown_name, check_student_number, require_room
from app.classroom.people.people import make_name_key
from app.classroom.store.schema.class_tables import MemberRow
from app.classroom.store.times import format_time
from app.locale.messages import mark

MOST_BYTES = 1024 * 1024
MOST_COLUMNS = 100
DELIMITERS = ",;\t"
NAME_TITLES = ("name", "student", "full name", "display name", "姓名", "名字")
FIRST_TITLES, LAST_TITLES = ("first name", "given name", "名"), ("last name", "surname", "family name", "姓", "姓氏")
NUMBER_TITLES = ("number", "student number", "sis user id", "id number", "学号", "student id", "id")  # the first of these that is there
POINTS_LINE = "points possible"  # Canvas's second line
TITLES = ("Name", "Number", "Joined", "Left")


@dataclass(frozen=True, kw_only=True)
class RosterLine:
    """A line of a roster."""

    name: str
    number: str | None


def check_roster(data: bytes) -> tuple[list[RosterLine], list[BadRoster]]:
    """Return the valid lines of a roster, and the faults of the others, both in the order of the file."""
    lines: list[RosterLine] = []
    try:
        rows = read_rows(data)
    except BadRoster as fault:  # of the file as a whole
        return lines, [fault]
    titles = [cell.lower() for cell in rows[0][1]] if rows else []
    columns = find_columns(titles)
    faults: list[BadRoster] = []
    numbers: set[str] = set()
    for line, cells in rows if columns is None else rows[1:]:
        name, number = read_columns(cells, *(columns or ([0], 1)))
        if name.lower() == POINTS_LINE:
            continue
        try:
            one = check_line(line, name, number)
            if one.number is not None and one.number.lower() in numbers:
                raise BadRoster(line, mark("each student number once"))
        except BadRoster as fault:
            faults.append(fault)
        else:
            numbers.add((one.number or "").lower())
            lines.append(one)
    if not lines and not faults:
        faults.append(BadRoster(1, mark("at least one name")))
    return lines, faults


def read_rows(data: bytes) -> list[tuple[int, list[str]]]:
    """Return the number and the cells of each line that is not empty. Raises BadRoster."""
    if len(data) > MOST_BYTES:
        raise BadRoster(1, mark("a file of at most {most} kB"), most=MOST_BYTES // 1024)
    try:
        text = data.decode().removeprefix(BOM)
    except UnicodeDecodeError as error:
        raise BadRoster(data.count(b"\n", 0, error.start) + 1, mark("text in UTF-8: save the table as “CSV UTF-8”")) from None
    rows: list[tuple[int, list[str]]] = []
    delimiter = max(DELIMITERS, key=text.partition("\n")[0].count)  # the one that the first line uses
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            cells = [read_cell(cell) for cell in row]
            if len(cells) > MOST_COLUMNS or len(rows) > MOST_MEMBERS:
                raise BadRoster(line, mark("at most {columns} columns and {lines} lines"), columns=MOST_COLUMNS, lines=MOST_MEMBERS)
            if any(cells):
                rows.append((line, cells))
            line = reader.line_num + 1
    except csv.Error:
        raise BadRoster(line, mark("quotation marks that are closed, and no very long cells")) from None
    return rows


def find_columns(titles: Sequence[str]) -> tuple[list[int], int | None] | None:
    """Return the columns of the names, whose cells are joined, and the column of the numbers, or None if no title is one of a name."""

    def find(*known: str) -> int | None:
        return next((titles.index(title) for title in known if title in titles), None)

    whole, first, last, number = find(*NAME_TITLES), find(*FIRST_TITLES), find(*LAST_TITLES), find(*NUMBER_TITLES)
    if whole is not None:
        return [whole], number
    if first is None and last is None:
        return None
    return [column for column in (first, last) if column is not None], number


def read_columns(cells: Sequence[str], names: Sequence[int], number: int | None) -> tuple[str, str]:
    def read(column: int) -> str:
        return cells[column] if column < len(cells) else ""

    return " ".join(filter(None, map(read, names))), read(number) if number is not None else ""


def check_line(line: int, name: str, number: str) -> RosterLine:
    try:
        return RosterLine(name=check_shown_name(name), number=check_student_number(number))
    except BadClassValue as error:
        if error.field == "name":
            raise BadRoster(line, mark("a name from 1 to {most} characters, none of them invisible"), **error.values) from None
        raise BadRoster(line, mark("a student number of at most {most} characters, none of them invisible"), **error.values) from None


def import_roster(connection: Connection, teacher: int, class_id: int, lines: Sequence[RosterLine], now_ms: int) -> None:
    """Add the people on a roster to a class. Members who are not on the roster stay. Raises NoClass, AssistantOnly and ClassFull.

    A line belongs to a member with the same number, or without a number, with the same name. It then adds a missing number to the member,
    and changes the name unless the member has joined.
    """
    require_instructor(connection, teacher, class_id)
    known = KnownMembers(list_members(connection, class_id))
    added: list[dict[str, object]] = []
    changed = 0
    for one in lines:
        same = known.take(one)
        if same is None:
            added.append({"class_id": class_id, "name": one.name, "name_key": make_name_key(one.name), "number": one.number})
            continue
        name = one.name if same.joined_ms is None else same.name
        if (name, one.number or same.number) != (same.name, same.number):
            values = {"name": name, "name_key": make_name_key(name), "number": one.number or same.number}
            connection.execute(update(MemberRow).where(MemberRow.id == same.id), values)
            changed += 1
    require_room(connection, class_id, len(added))
    if added:
        connection.execute(insert(MemberRow), added)
    append_audit(connection, teacher, class_id, now_ms, "roster_imported", added=len(added), changed=changed)
    announce(connection, class_id)


class KnownMembers:
    """The members of a class to whom no line of a roster belongs yet."""

    def __init__(self, members: Sequence[ListedMember]) -> None:
        self._numbered = {one.number.lower(): one for one in members if one.number is not None}
        self._named: defaultdict[str, list[ListedMember]] = defaultdict(list)
        for one in members:
            self._named[make_name_key(one.name)].append(one)

    def take(self, line: RosterLine) -> ListedMember | None:
        """Return the member to whom a line belongs, or None. No member is returned twice."""
        found = self._numbered.get(line.number.lower()) if line.number is not None else None
        if found is None:
            named = [one for one in self._named[make_name_key(line.name)] if one.number is None or line.number is None]
            found = named[0] if len(named) == 1 else None
        if found is not None:
            self._named[make_name_key(found.name)].remove(found)
            self._numbered.pop((found.number or "").lower(), None)
        return found


def write_roster(connection: Connection, class_id: int) -> bytes:
    """Return the roster of a class as CSV. The caller must have checked that the person teaches it."""

    def write_time(at_ms: int | None) -> str | None:
        return format_time(at_ms) if at_ms is not None else None

    members = list_members(connection, class_id)
    return write_csv([TITLES, *((one.name, one.number, write_time(one.joined_ms), write_time(one.left_ms)) for one in members)])
