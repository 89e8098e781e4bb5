"""The page of a class's people: its members, its teachers, and the import and export of its roster."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from sqlalchemy import Connection
from starlette.responses import Response

from app.classroom.classes.class_faults import BadClassValue, BadRoster, ClassFull
from app.classroom.classes.class_staff import StaffMember, add_staff, list_staff, remove_staff
from app.classroom.classes.member_changes import ListedMember, list_members
from app.classroom.classes.members import MOST_MEMBERS
from app.classroom.classes.roster import KnownMembers, RosterLine, check_roster, import_roster, write_roster
from app.classroom.classes.school_classes import SchoolClass
from app.classroom.people import audit, people, sign_in_links
from app.classroom.people.people import BadName, Person
from app.classroom.people.roles import Role
from app.classroom.people.sign_in_links import LINK_DAYS
from app.classroom.store.times import now_ms
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.guards.access import INSTRUCTOR, TEACHING, allow
from app.web.http.form import read_form
from app.web.pages.rendering import origin_of
from app.web.pages.routes import route_forms, route_pages
from app.web.pages.teaching.class_points import send_csv
from app.web.pages.teaching.opened_class import (
    ChangingDep,
    OpenedDep,
    change_class_rows,
    check_id,
    go_to_tab,
    render_class,
    say_bad_value,
)
from app.web.services import LangDep, PersonDep, Services, ServicesDep

DONE = {
    "added": mark("The people are in the list. They join with the code, and with their own name or number."),
    "staff": mark("Saved."),
    "removed": mark("That person is no longer in the class. What they did stays theirs."),
    "merged": mark("The two are one person now."),
}


@dataclass(frozen=True, kw_only=True)
class CheckedRoster:
    """A pasted roster. `lines` are its valid lines, each with whether the class has this member already. `faults` are sentences."""

    text: str
    lines: list[tuple[RosterLine, bool]]
    faults: list[str]


@allow(TEACHING)
async def get_people(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with the members and teachers of a class, and the forms of this module."""
    return await show_people(request, lang, services, opened)


@allow(TEACHING)
async def get_roster(services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with the roster as a CSV file."""
    return send_csv(await services.database.read(write_roster, opened.id), f"class-{opened.id}")


@allow(INSTRUCTOR)
async def post_roster(request: Request, lang: LangDep, services: ServicesDep, teacher: PersonDep, opened: ChangingDep) -> Response:
    """Check the roster of the form. If it has no fault and the button says "add", add its people to the class."""
    form = await read_form(request)
    text = form.get("roster", "")
    lines, faults = check_roster(text.encode())
    checked = CheckedRoster(text=text, lines=[], faults=[say_line(fault, lang) for fault in faults])
    if faults or form.get("do") != "add":
        known = KnownMembers(await services.database.read(list_members, opened.id))
        checked = CheckedRoster(text=text, lines=[(one, known.take(one) is not None) for one in lines], faults=checked.faults)
        return await show_people(request, lang, services, opened, 422 if faults else 200, checked=checked)
    try:
        await change_class_rows(services, import_roster, teacher.id, opened.id, lines, now_ms())
    except ClassFull:
        full = translator(lang)("A class has at most {most} people.").format(most=MOST_MEMBERS)
        return await show_people(request, lang, services, opened, 422, full, checked=checked)
    return go_to_tab(lang, opened.id, "people", "added")


@allow(INSTRUCTOR)
async def post_staff(request: Request, lang: LangDep, services: ServicesDep, teacher: PersonDep, opened: ChangingDep) -> Response:
    """Add a teacher to the class. An unknown person becomes an assistant, whose sign-in link is shown once."""
    form = await read_form(request)
    try:
        added = await change_class_rows(
            services, add_teacher, teacher, opened.id, form.get("name", ""), form.get("role", "assistant"), now_ms()
        )
    except BadClassValue as fault:
        return await show_people(request, lang, services, opened, 422, say_bad_value(fault, lang))
    if added is None:
        return go_to_tab(lang, opened.id, "people", "staff", "staff")
    linked, token = added
    return await show_people(request, lang, services, opened, link=f"{origin_of(request)}/sign-in/{token}", linked=linked)


@allow(INSTRUCTOR)
async def post_staff_removal(
    request: Request, person_id: int, lang: LangDep, services: ServicesDep, teacher: PersonDep, opened: ChangingDep
) -> Response:
    """Remove a teacher from the class."""
    try:
        await change_class_rows(services, remove_staff, teacher.id, opened.id, check_id(person_id), now_ms())
    except BadClassValue as fault:
        return await show_people(request, lang, services, opened, 422, say_bad_value(fault, lang))
    return go_to_tab(lang, opened.id, "people", "staff", "staff")


def add_teacher(connection: Connection, teacher: Person, class_id: int, name: str, role: str, at_ms: int) -> tuple[str, str] | None:
    """Add a teacher to a class. If nobody has this name, make an assistant. Raises BadClassValue.

    Return the name of a new assistant, and the token of the link with which they choose a password; return None if the person existed.
    """
    made = None
    if people.find_person(connection, name) is None:
        try:
            person = people.make_person(connection, name, Role.ASSISTANT, at_ms)
        except BadName:
            raise BadClassValue("name", mark("a name from 1 to 64 characters, none of them invisible")) from None
        actor, subject = audit.name_person(teacher.name), audit.name_person(person.name)
        audit.append(connection, at_ms, actor, "person_made", subject, role=Role.ASSISTANT)
        audit.append(connection, at_ms, actor, "link_made", subject)
        made = person.name, sign_in_links.make_link(connection, person.id, at_ms)
    add_staff(connection, teacher.id, class_id, name, "assistant" if made else role, at_ms)
    return made


def say_line(fault: BadRoster, lang: Lang) -> str:
    words = translator(lang)
    return words("Line {line}: expected {expected}.").format(line=fault.line, expected=words(fault.expected).format(**fault.values))


def gather_people(connection: Connection, class_id: int) -> tuple[Sequence[ListedMember], Sequence[StaffMember]]:
    return list_members(connection, class_id), list_staff(connection, class_id)


async def show_people(
    request: Request, lang: Lang, services: Services, school_class: SchoolClass, status: int = 200, fault: str = "", **context: Any
) -> Response:
    """Show the page. `context` may have a checked roster, and the link of a new assistant."""
    members, staff = await services.database.read(gather_people, school_class.id)
    given: Mapping[str, Any] = {"checked": None, "link": "", "linked": "", **context}
    return render_class(
        request,
        lang,
        school_class,
        "people",
        "teaching/people.html",
        title=mark("People"),
        status=status,
        fault=fault,
        done=DONE,
        members=members,
        staff=staff,
        link_days=LINK_DAYS,
        **given,
    )


PEOPLE = "/teach/{class_id:int}/people"
router = route_pages({PEOPLE: get_people, "/teach/{class_id:int}/roster.csv": get_roster})
forms = route_forms(
    {
        f"{PEOPLE}/roster": post_roster,
        f"{PEOPLE}/staff": post_staff,
        PEOPLE + "/staff/{person_id:int}/remove": post_staff_removal,
    }
)
