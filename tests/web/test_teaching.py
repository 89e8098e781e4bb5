"""An instructor's pages of a class: what their forms do, what they show, and to whom."""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from fastapi import FastAPI
from starlette.routing import Route

from app.classroom.classes.class_lessons import list_lessons
from app.classroom.classes.class_staff import list_staff
from app.classroom.classes.member_changes import list_members
from app.classroom.classes.members import join
from app.classroom.classes.school_classes import SchoolClass, find_class, list_classes
from app.classroom.people.people import Person
from app.classroom.people.roles import Role
from app.classroom.store.times import now_ms, to_ms
from app.classroom.work.attempts import save_attempt
from app.grading.solution_policy import parse_policy
from app.main import create_app
from app.settings import Settings
from app.web.guards.access import INSTRUCTOR, TEACHING, list_rules
from app.web.pages.teaching.class_settings import describe_policy
from app.web.pages.teaching.points_cell import parse_points
from tests.classroom.sample_attempts import LIMIT, new_attempt
from tests.web.conftest import share_routes
from tests.web.exercises import make_catalogue
from tests.web.fake_runner import FakeRunner
from tests.web.kept import LESSON, services_of
from tests.web.people import add_person, browser_of, find_person, give_session, is_signed_in

pytestmark = pytest.mark.anyio
MARKUP = '<b>"Ada"</b> & Co'
CELL = f"{LESSON}/fix"


@dataclass(frozen=True, kw_only=True)
class Staffroom:
    """An app, whose class 1 Tess teaches, Hal helps in, and Sam has nothing to do with; each with a browser."""

    app: FastAPI
    tess: httpx.AsyncClient
    hal: httpx.AsyncClient
    sam: httpx.AsyncClient
    teacher: Person

    async def read(self, query: Any, *args: Any) -> Any:
        return await services_of(self.app).database.read(query, *args)

    async def find(self) -> SchoolClass:
        found: SchoolClass = await self.read(find_class, self.teacher.id, 1)
        return found

    async def join(self, learner: str, name: str | None = None, number: str | None = None) -> int:
        """Let a learner join, and return the member's id."""
        code = (await self.find()).code
        joined = await services_of(self.app).database.write(join, learner, code, name or learner, number, False, now_ms() - 60_000)
        return joined.member_id

    async def submit(self, learner: str, *, passed: bool) -> None:
        attempt = new_attempt(passed=passed, lesson=LESSON, exercise="fix", at_ms=now_ms(), source=f"# {MARKUP}")
        await services_of(self.app).database.write(save_attempt, learner, attempt, limit_bytes=LIMIT)


@pytest.fixture
async def staffroom(settings: Settings) -> AsyncIterator[Staffroom]:
    app = share_routes(create_app(settings, FakeRunner(), make_catalogue()))
    browsers = [browser_of(app) for _ in range(3)]
    people = [
        await add_person(app, name, role) for name, role in (("Tess", Role.INSTRUCTOR), ("Hal", Role.ASSISTANT), ("Sam", Role.INSTRUCTOR))
    ]
    for person, browser in zip(people, browsers, strict=True):
        await give_session(app, person, browser)
    tess, hal, sam = browsers
    assert (await tess.post("/en/teach/make", data={"name": "  Monday &  <i>co</i> ", "path": ""})).status_code == 303
    await tess.post("/en/teach/1/lessons", data={"do": "add", "add": LESSON})
    await tess.post("/en/teach/1/people/staff", data={"name": "hal", "role": "assistant"})
    yield Staffroom(app=app, tess=tess, hal=hal, sam=sam, teacher=people[0])
    for browser in browsers:
        await browser.aclose()


async def test_a_class_is_there_for_its_teachers_alone_and_its_assistants_change_nothing(staffroom: Staffroom) -> None:
    member = await staffroom.join("ada")
    asked = 0
    for route, rule in list_rules(staffroom.app.routes):
        if not isinstance(route, Route) or "{class_id" not in route.path or rule not in (TEACHING, INSTRUCTOR):
            continue
        if route.path.startswith("/api/") or "{attempt_id" in route.path:  # of the board, for which test_board.py asks
            continue
        path = route.path.replace("{class_id:int}", "1").replace("{member_id:int}", str(member)).replace("{person_id:int}", "1")
        path = path.replace("{chapter}/{lesson}/{exercise}", CELL)
        method = "POST" if "POST" in (route.methods or ()) else "GET"
        data = {"data": {"name": "Stolen"}} if method == "POST" else {}
        assert (await staffroom.sam.request(method, path, **data)).status_code == 404, path
        if method == "POST":
            # she may change her own classes, but not the one in which she helps
            assert (await staffroom.hal.post(path, **data)).status_code == 403, path
        else:
            status = 422 if path.endswith("merge") else 200
            assert (await staffroom.hal.get(path)).status_code == status, path
        asked += 1
    assert asked > 40
    for class_id in (2, 2**31, 10**30):
        assert (await staffroom.tess.get(f"/en/teach/{class_id}/lessons")).status_code == 404
    await staffroom.tess.post("/en/teach/1/people/staff", data={"name": "Sam", "role": "assistant"})
    answer = await staffroom.sam.post("/en/teach/1/settings/archive", data={"archived": "yes"})  # an instructor elsewhere, not here
    assert answer.status_code == 403
    assert "You are an assistant of this class" in answer.text
    assert (await staffroom.find()).archived_ms is None
    for tab in ("people", "lessons", "settings", "code"):  # without buttons that would be refused
        page = (await staffroom.hal.get(f"/en/teach/1/{tab}")).text
        assert 'type="submit"' not in page.partition("<main")[2].partition("</main")[0], tab


async def test_the_list_explains_the_first_steps_and_names_are_text(staffroom: Staffroom) -> None:
    empty = (await staffroom.sam.get("/en/teach")).text
    assert "Show its code." in empty and "Monday" not in empty
    page = (await staffroom.tess.get("/en/teach")).text
    assert "<bdi>Monday &amp; &lt;i&gt;co&lt;/i&gt;</bdi>" in page and "Show its code." not in page
    assert 'href="/en/teach"' in (await staffroom.tess.get("/en/account")).text
    assert 'href="/en/teach"' not in (await browser_of(staffroom.app).get("/en/map")).text
    wrong = await staffroom.tess.post("/en/teach/make", data={"name": "\u202e"})
    assert wrong.status_code == 422 and "Expected from 1 to 64 characters" in wrong.text
    assert (await staffroom.hal.post("/en/teach/make", data={"name": "Mine"})).status_code == 403


async def test_lessons_are_added_ordered_opened_and_removed(staffroom: Staffroom) -> None:
    async def send(*fields: tuple[str, str]) -> int:
        content = urlencode(fields).encode()
        headers = {"content-type": "application/x-www-form-urlencoded"}
        return (await staffroom.tess.post("/en/teach/1/lessons", content=content, headers=headers)).status_code

    def row(state: str, opens: str = "", points: str = "1", lesson: str = LESSON) -> list[tuple[str, str]]:
        return [("lesson", lesson), ("state", state), ("opens", opens), ("points", points)]

    (before,) = await staffroom.read(list_lessons, 1)
    assert before.is_open(now_ms()) and before.points == 1
    assert await send(*row("open", points="3"), ("do", "save")) == 303
    (kept,) = await staffroom.read(list_lessons, 1)
    assert (kept.opens_ms, kept.points) == (before.opens_ms, 3)  # open since the same time
    assert await send(*row("later", "2096-03-01T08:30"), ("do", "save")) == 303
    (later,) = await staffroom.read(list_lessons, 1)

    assert later.opens_ms == to_ms(datetime(2096, 3, 1, 8, 30, tzinfo=UTC))
    assert 'value="2096-03-01T08:30"' in (await staffroom.tess.get("/en/teach/1/lessons")).text
    assert await send(*row("closed"), ("do", "save")) == 303
    assert (await staffroom.read(list_lessons, 1))[0].opens_ms is None
    for wrong in (row("later", "tomorrow"), row("open", points="-1"), row("open", points="1001"), row("open", points="²")):
        assert await send(*wrong, ("do", "save")) == 422
    assert await send(*row("open"), *row("open", lesson="no/such"), ("do", "add"), ("add", "nor/this"), ("add", LESSON)) == 303
    assert [one.lesson for one in await staffroom.read(list_lessons, 1)] == [LESSON]
    assert await send(*row("open"), ("do", f"remove:{LESSON}")) == 303
    assert await staffroom.read(list_lessons, 1) == []


async def test_a_list_is_checked_line_by_line_before_anybody_is_added(staffroom: Staffroom) -> None:
    wrong = "name,number\nAda,1\n\u202e,2\nBob,1\n"
    answer = await staffroom.tess.post("/en/teach/1/people/roster", data={"roster": wrong, "do": "add"})
    assert answer.status_code == 422
    assert "Line 3: expected a name" in answer.text and "Line 4: expected each student number once" in answer.text
    assert await staffroom.read(list_members, 1) == []
    right = f"name,number\n{MARKUP.replace(chr(34), '')},1\nBob,2\n"
    checked = await staffroom.tess.post("/en/teach/1/people/roster", data={"roster": right, "do": "check"})
    assert "2 people: 0 of them" in checked.text and "&lt;b&gt;Ada&lt;/b&gt;" in checked.text and "<b>Ada" not in checked.text
    assert await staffroom.read(list_members, 1) == []
    assert (await staffroom.tess.post("/en/teach/1/people/roster", data={"roster": right, "do": "add"})).status_code == 303
    assert [(one.number, one.joined_ms) for one in await staffroom.read(list_members, 1)] == [("1", None), ("2", None)]
    file = await staffroom.hal.get("/en/teach/1/roster.csv")
    assert file.headers["content-type"] == "text/csv; charset=utf-8" and "no-store" in file.headers["cache-control"]
    assert file.content.startswith("\ufeffName,Number".encode())


async def test_members_are_renamed_merged_and_removed(staffroom: Staffroom) -> None:
    ada, twin, bob = [await staffroom.join(learner) for learner in ("ada", "twin", "bob")]
    await staffroom.tess.post(f"/en/teach/1/people/{bob}/name", data={"name": "Bob", "number": "7"})
    taken = await staffroom.tess.post(f"/en/teach/1/people/{ada}/name", data={"name": MARKUP, "number": "7"})
    assert taken.status_code == 422 and "merge the two" in taken.text
    await staffroom.tess.post(f"/en/teach/1/people/{ada}/name", data={"name": MARKUP, "number": ""})
    page = (await staffroom.tess.get("/en/teach/1/people")).text
    assert MARKUP not in page and MARKUP in unescape(page)
    answer = await staffroom.tess.post(f"/en/teach/1/people/{ada}/code")
    (code,) = re.findall(r'code-letters small">([0-9A-Z-]{19})<', answer.text)
    assert "no-store" in answer.headers["cache-control"]
    assert code not in (await staffroom.tess.get(f"/en/teach/1/people/{ada}")).text
    for ticked in ("", f"member={ada}", f"member={ada}&member={twin}&member={bob}"):
        assert (await staffroom.tess.get(f"/en/teach/1/people/merge?{ticked}")).status_code == 422
    assert "Whose name stays?" in (await staffroom.tess.get(f"/en/teach/1/people/merge?member={ada}&member={twin}")).text
    for wrong in ({"one": "1"}, {"one": f"{ada}", "two": f"{ada}", "kept": f"{ada}"}, {"one": f"{ada}", "two": "x", "kept": f"{ada}"}):
        assert (await staffroom.tess.post("/en/teach/1/people/merge", data=wrong)).status_code == 422
    both = {"one": f"{ada}", "two": f"{twin}", "kept": f"{ada}"}
    assert (await staffroom.tess.post("/en/teach/1/people/merge", data=both)).status_code == 303
    assert {one.id: one.learners for one in await staffroom.read(list_members, 1)} == {ada: 2, bob: 1}
    await staffroom.tess.post(f"/en/teach/1/people/{ada}/remove")
    assert (await staffroom.tess.get(f"/en/teach/1/people/{ada}")).status_code == 404


async def test_an_assistant_who_cannot_sign_in_yet_gets_a_link_that_is_shown_once(staffroom: Staffroom) -> None:
    answer = await staffroom.tess.post("/en/teach/1/people/staff", data={"name": "Nia", "role": "instructor"})
    (link,) = re.findall(r'class="secret-code">http://localhost(/sign-in/[\w-]+)<', answer.text)
    assert link not in (await staffroom.tess.get("/en/teach/1/people")).text
    nia = await find_person(staffroom.app, "nia")
    assert nia.role is Role.ASSISTANT  # an instructor adds no instructors to the server
    assert [(one.name, one.role) for one in await staffroom.read(list_staff, 1)][-1] == ("Nia", "assistant")
    browser = browser_of(staffroom.app)
    await browser.post(f"/en{link}", data={"password": "correct horse battery"})
    assert await is_signed_in(browser)
    assert (await browser.get("/en/teach/1/people")).status_code == 200
    await staffroom.tess.post(f"/en/teach/1/people/staff/{nia.id}/remove")
    assert (await browser.get("/en/teach/1/people")).status_code == 404
    alone = await staffroom.tess.post(f"/en/teach/1/people/staff/{staffroom.teacher.id}/remove")
    assert alone.status_code == 422 and "another instructor" in alone.text


async def test_the_code_is_large_and_a_new_one_replaces_it(staffroom: Staffroom) -> None:
    await staffroom.join("ada")
    first = (await staffroom.find()).code
    page = (await staffroom.hal.get("/en/teach/1/code")).text
    assert f"{first[:4]}-{first[4:]}" in page and 'class="join-qr"' in page and "data-joined>1<" in page
    assert "localhost/join" in page and "works on this computer only" in page
    assert "ada" not in page.partition("<main")[2].partition("</main")[0]  # it is for the projector
    await staffroom.tess.post("/en/teach/1/code/renew")
    assert (await staffroom.find()).code != first
    await staffroom.tess.post("/en/teach/1/code/joining", data={"joining": "no"})
    assert not (await staffroom.find()).joining
    assert 'class="join-qr"' not in (await staffroom.tess.get("/en/teach/1/code")).text


async def test_settings_are_stored_and_wrong_ones_are_not(staffroom: Staffroom) -> None:
    form = {
        "name": "Tuesday", "asks_number": "on", "solutions": "tries", "tries": "5", "stuck_tries": "3", "stuck_minutes": "7",
        "counting": "checks", "counted_attempt": "last", "until": "2096-01-01T00:00", "after_solution": "on", "retention_days": "30",
    }  # fmt: skip
    assert (await staffroom.tess.post("/en/teach/1/settings", data=form)).status_code == 303
    found = await staffroom.find()
    assert (found.name, found.asks_number, found.solutions, found.stuck_tries) == ("Tuesday", True, "after-5-tries", 3)
    assert (found.counting, found.counted_attempt, found.after_solution, found.retention_days) == ("checks", "last", True, 30)
    page = (await staffroom.tess.get("/en/teach/1/settings")).text
    assert 'value="2096-01-01T00:00"' in page and 'name="tries" value="5"' in page
    assert "as this server has it (shown after a submission)" in page
    for wrong in ({"stuck_tries": "0"}, {"until": "never"}, {"counting": "none"}, {"retention_days": "-1"}, {"name": ""}, {"tries": "x"}):
        assert (await staffroom.tess.post("/en/teach/1/settings", data=form | wrong)).status_code == 422, wrong
    assert await staffroom.find() == found
    unset = {"until": "", "retention_days": "", "solutions": ""}
    kept = {name: value for name, value in form.items() if name not in ("asks_number", "after_solution")}
    await staffroom.tess.post("/en/teach/1/settings", data=kept | unset)
    found = await staffroom.find()
    assert (found.until_ms, found.retention_days, found.solutions, found.asks_number, found.after_solution) == (
        None,
        None,
        None,
        False,
        False,
    )


async def test_a_class_is_copied_archived_and_deleted_by_its_name(staffroom: Staffroom) -> None:
    await staffroom.join("ada")
    copied = await staffroom.tess.post("/en/teach/1/settings/copy", data={"name": "Next term"})
    assert copied.headers["location"] == "/en/teach/2/lessons?done=copied"
    assert (await staffroom.read(list_members, 2), (await staffroom.read(list_lessons, 2))[0].opens_ms) == ([], None)
    await staffroom.tess.post("/en/teach/1/settings/archive", data={"archived": "yes"})
    assert (await staffroom.find()).archived_ms is not None
    assert "Archived classes: 1" in (await staffroom.tess.get("/en/teach")).text
    await staffroom.tess.post("/en/teach/1/settings/archive", data={"archived": "no"})
    for name in ("", "Monday"):
        assert (await staffroom.tess.post("/en/teach/1/settings/delete", data={"name": name})).status_code == 422
    gone = await staffroom.tess.post("/en/teach/1/settings/delete", data={"name": "monday & <i>CO</i>"})
    assert gone.headers["location"] == "/en/teach?done=deleted"
    assert [one.name for one in await staffroom.read(list_classes, staffroom.teacher.id)] == ["Next term"]


async def test_points_lead_to_what_is_behind_them_and_can_be_given(staffroom: Staffroom) -> None:
    ada, bob = await staffroom.join("ada", MARKUP), await staffroom.join("bob")
    await staffroom.submit("ada", passed=False)
    await staffroom.submit("ada", passed=True)
    table = (await staffroom.tess.get("/en/teach/1/points")).text
    assert MARKUP not in table and MARKUP in unescape(table)
    assert f'<a href="points/{ada}/{CELL}">1</a>' in table and f'<a href="points/{bob}/{CELL}">–</a>' in table
    behind = f"/en/teach/1/points/{ada}/{CELL}"
    page = (await staffroom.hal.get(behind)).text
    assert page.count("<time") == 2 and page.count('class="chosen"') == 1 and MARKUP not in page
    assert (await staffroom.tess.post(behind, data={"points": "0,5", "reason": f"late {MARKUP}"})).status_code == 303
    assert (
        f'points/{ada}/{CELL}" class="given" title="given by a teacher">0.5*</a>' in (await staffroom.tess.get("/en/teach/1/points")).text
    )
    page = (await staffroom.tess.get(behind)).text
    assert f"late {MARKUP}" in unescape(page) and MARKUP not in page
    for wrong in ({"points": "x", "reason": "y"}, {"points": "1.234", "reason": "y"}, {"points": "1", "reason": " "}):
        assert (await staffroom.tess.post(behind, data=wrong)).status_code == 422
    await staffroom.tess.post(behind, data={"do": "clear"})
    assert f'<a href="points/{ada}/{CELL}">1</a>' in (await staffroom.tess.get("/en/teach/1/points")).text
    for nowhere in (f"999/{CELL}", f"{ada}/{LESSON}/no", f"{ada}/no/such/fix", f"{10**12}/{CELL}"):
        assert (await staffroom.tess.get(f"/en/teach/1/points/{nowhere}")).status_code == 404
        assert (await staffroom.tess.post(f"/en/teach/1/points/{nowhere}", data={"points": "1", "reason": "x"})).status_code == 404


async def test_the_table_is_filtered_and_the_files_follow_it(staffroom: Staffroom) -> None:
    ada, bob = await staffroom.join("ada", "=Ada"), await staffroom.join("bob")
    for exercise in ("fix", "test"):
        await staffroom.tess.post(f"/en/teach/1/points/{ada}/{LESSON}/{exercise}", data={"points": "1", "reason": "x"})

    async def rows(query: str) -> list[str]:
        page = (await staffroom.tess.get(f"/en/teach/1/points?{query}")).text
        return re.findall(r'<th scope="row"><bdi>(.*?)</bdi>', page)

    assert await rows("") == ["=Ada", "bob"]
    assert await rows("name=BO") == ["bob"]
    assert await rows("show=missing") == ["bob"]
    assert await rows(f"show=overridden&lesson={LESSON}") == ["=Ada"]
    assert await rows("show=other&lesson=no/such&name=%00") == []
    await staffroom.tess.post(f"/en/teach/1/people/{bob}/name", data={"name": "bob", "number": "0012"})
    canvas = (await staffroom.hal.get("/en/teach/1/points/canvas.csv")).text
    assert canvas.splitlines()[1:] == [
        "Points Possible,,,,,1,1", "'=Ada,,,,Monday & <i>co</i>,1,1", "bob,,0012,,Monday & <i>co</i>,,",
    ]  # fmt: skip
    moodle = (await staffroom.hal.get("/zh-Hans/teach/1/points/moodle.csv?zeros=on")).text
    assert moodle.splitlines()[1:] == ["0012,bob,0,0"]
    assert "修好它 (one/first/fix)" in moodle


def test_a_policy_is_put_into_words() -> None:
    policies = ("always", "after-try", "after-3-tries", "never")
    words = ["always shown", "shown after a submission", "shown after 3 submissions", "never shown"]
    assert [describe_policy(parse_policy(one), "en") for one in policies] == words


def test_points_are_typed_with_a_point_or_a_comma() -> None:
    assert [parse_points(text) for text in ("1", "0,5", " 2.25 ", "10.1")] == [100, 50, 225, 1010]
    assert all(parse_points(text) > 100_000 for text in ("", "-1", "1.234", "١", "1e3", "12345", "1.", ".5"))
