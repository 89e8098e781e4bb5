"""The page of a member, and the page on which an instructor merges two members who are the same person."""

from fastapi import Request
from starlette.responses import Response

from app.classroom.classes.class_faults import BadClassValue, NoMember, NumberTaken
from app.classroom.classes.join_code import format_code
from app.classroom.classes.member_changes import (
    list_members,
    merge_members,
    remove_member,
    rename_member,
    renew_resume_code,
)
from app.classroom.classes.school_classes import SchoolClass
from app.classroom.store.times import now_ms
from app.locale.messages import mark, translator
from app.protocol.run import Lang
from app.web.guards.access import INSTRUCTOR, TEACHING, allow
from app.web.http.form import read_form
from app.web.pages.routes import route_forms, route_pages
from app.web.pages.teaching.class_people import show_people
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

TWO = mark("Tick two people to merge them.")


@allow(TEACHING)
async def get_member(request: Request, member_id: int, lang: LangDep, services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with the page of a member."""
    return await show_member(request, lang, services, opened, member_id)


@allow(INSTRUCTOR)
async def post_name(
    request: Request, member_id: int, lang: LangDep, services: ServicesDep, teacher: PersonDep, opened: ChangingDep
) -> Response:
    """Change a person's name and number."""
    form = await read_form(request)
    name, number = form.get("name", ""), form.get("number", "") or None
    try:
        await change_class_rows(services, rename_member, teacher.id, opened.id, check_id(member_id), name, number, now_ms())
    except NumberTaken:
        return await show_member(
            request,
            lang,
            services,
            opened,
            member_id,
            422,
            translator(lang)("Somebody else in the class has this number. If they are the same person, merge the two."),
        )
    except BadClassValue as fault:
        return await show_member(request, lang, services, opened, member_id, 422, say_bad_value(fault, lang))
    return go_to_tab(lang, opened.id, f"people/{member_id}", "saved")


@allow(INSTRUCTOR)
async def post_code(
    request: Request, member_id: int, lang: LangDep, services: ServicesDep, teacher: PersonDep, opened: ChangingDep
) -> Response:
    """Make a new resume code of a member, and answer with it. It is shown only this once."""
    try:
        code = await change_class_rows(services, renew_resume_code, teacher.id, opened.id, check_id(member_id), now_ms())
    except BadClassValue as fault:
        return await show_member(request, lang, services, opened, member_id, 422, say_bad_value(fault, lang))
    return await show_member(request, lang, services, opened, member_id, code=format_code(code))


@allow(INSTRUCTOR)
async def post_removal(
    request: Request, member_id: int, lang: LangDep, services: ServicesDep, teacher: PersonDep, opened: ChangingDep
) -> Response:
    """Remove a person from the class."""
    await change_class_rows(services, remove_member, teacher.id, opened.id, check_id(member_id), now_ms())
    services.database.scrub()
    return go_to_tab(lang, opened.id, "people", "removed")


@allow(TEACHING)
async def get_merge(request: Request, lang: LangDep, services: ServicesDep, opened: OpenedDep) -> Response:
    """Answer with what merging the two ticked people does, and the button for it."""
    ticked = request.query_params.getlist("member")
    members = await services.database.read(list_members, opened.id)
    two = [one for one in members if str(one.id) in ticked]
    if len(two) != 2:
        return await show_people(request, lang, services, opened, 422, translator(lang)(TWO))
    under = f"/merge?member={two[0].id}&member={two[1].id}"
    # the name of the one with a number should stay, else of the one who joined first
    likely = min(two, key=lambda one: (one.number is None, one.joined_ms or 0, one.id)).id
    title = mark("Merge two people")
    return render_class(request, lang, opened, "people", "teaching/merge.html", title=title, under=under, two=two, likely=likely)


@allow(INSTRUCTOR)
async def post_merge(request: Request, lang: LangDep, services: ServicesDep, teacher: PersonDep, opened: ChangingDep) -> Response:
    """Merge two people. The field `kept` is the id of the one whose name stays."""
    form = await read_form(request)
    both, kept = {form.get("one", ""), form.get("two", "")}, form.get("kept", "")
    others = both - {kept}
    if kept not in both or len(others) != 1 or not all(one.isascii() and one.isdecimal() for one in both):
        return await show_people(request, lang, services, opened, 422, translator(lang)(TWO))
    kept_id, other_id = check_id(int(kept)), check_id(int(others.pop()))
    await change_class_rows(services, merge_members, teacher.id, opened.id, kept_id, other_id, now_ms())
    return go_to_tab(lang, opened.id, "people", "merged")


async def show_member(
    request: Request,
    lang: Lang,
    services: Services,
    school_class: SchoolClass,
    member_id: int,
    status: int = 200,
    fault: str = "",
    code: str = "",
) -> Response:
    members = await services.database.read(list_members, school_class.id)
    member = next((one for one in members if one.id == member_id), None)
    if member is None:
        raise NoMember
    return render_class(
        request,
        lang,
        school_class,
        "people",
        "teaching/member.html",
        title=mark("People"),
        under=f"/{member_id}",
        status=status,
        fault=fault,
        done={} if fault or code else {"saved": mark("Saved.")},
        member=member,
        code=code,
    )


PEOPLE = "/teach/{class_id:int}/people"
MEMBER = f"{PEOPLE}/{{member_id:int}}"
router = route_pages({MEMBER: get_member, f"{PEOPLE}/merge": get_merge})
forms = route_forms(
    {
        f"{MEMBER}/name": post_name,
        f"{MEMBER}/code": post_code,
        f"{MEMBER}/remove": post_removal,
        f"{PEOPLE}/merge": post_merge,
    }
)
