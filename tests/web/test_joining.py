"""The pages of a learner in a class: joining by its code, coming back by the resume code, handing a computer on, and leaving."""

import re

import httpx
import pytest
from fastapi import FastAPI

from app.classroom.classes import class_lessons, member_changes, school_classes
from app.classroom.classes.class_lessons import ClassLesson
from app.classroom.classes.school_classes import ClassChanges
from app.classroom.people.wrong_sign_ins import CODES
from app.classroom.store.times import DAY_MS, now_ms
from tests.web.conftest import MakeApp
from tests.web.kept import DRAFTS, LESSON, learner_of, services_of
from tests.web.people import browser_of
from tests.web.school import join, new_browser, open_class

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database_url")]
EVIL = "<b>Ana</b> \u0645\u0631\u062d\u0628\u0627"


@pytest.fixture
def app(make_app: MakeApp) -> FastAPI:
    return make_app()


async def test_joining_says_first_what_it_means_and_then_shows_a_code_once(app: FastAPI) -> None:
    school = await open_class(app, "Physics <b>12b</b>")
    ana = await new_browser(app)
    typed = await ana.get(f"/en/join?code={school.code[:4].lower()}-{school.code[4:]}")
    assert (typed.status_code, typed.headers["location"]) == (303, f"/en/join/{school.code}")
    page = await ana.get(f"/en/join/{school.code}")
    assert "Physics &lt;b&gt;12b&lt;/b&gt;" in page.text and "<b>12b" not in page.text
    for told in ("Stored:", "Seen by those who teach", "without your name", "For how long:", "Bring along"):
        assert (told in page.text) == (told != "Bring along"), told  # nothing was done before
    code = await join(ana, school, EVIL)
    again = await ana.post(f"/en/join/{school.code}", data={"name": EVIL})  # the page is loaded again
    assert (again.status_code, again.headers["location"]) == (303, f"/en/class/{school.class_id}")
    own = (await ana.get(f"/en/class/{school.class_id}")).text
    assert "<bdi>&lt;b&gt;Ana&lt;/b&gt;" in own and code not in own
    (member,) = await services_of(app).database.read(member_changes.list_members, school.class_id)
    assert (member.name, member.learners) == (EVIL, 1)


async def test_what_was_done_before_comes_along_only_if_the_learner_says_so(app: FastAPI) -> None:
    school = await open_class(app)
    for brings in (True, False):
        browser = await new_browser(app)
        await browser.put(f"{DRAFTS}/use", json={"source": "x", "version": 0})
        assert 'value="yes" checked' in (await browser.get(f"/en/join/{school.code}")).text
        await join(browser, school, "Ana", **({"brings": "yes"} if brings else {}))
        (membership,) = (await browser.get("/api/me")).json()["classes"]
        assert membership == {"id": school.class_id, "name": "Physics 12b", "member": "Ana", "unread": 0}
    members = await services_of(app).database.read(lambda db: db.exec_driver_sql("SELECT since_ms FROM member_learner ORDER BY 1").all())
    assert members[0][0] == 0 < members[1][0]


async def test_a_wrong_field_is_named_and_what_was_typed_stays(app: FastAPI) -> None:
    school = await open_class(app)
    database = services_of(app).database
    await database.write(school_classes.change_class, school.teacher, school.class_id, ClassChanges(asks_number=True), now_ms())
    ana, ben = await new_browser(app), await new_browser(app)
    for fields, field in (
        ({"name": "", "number": "1"}, "name"),
        ({"name": "Ana"}, "number"),
        ({"name": "Ana", "number": "1" * 33}, "number"),
    ):
        answer = await ana.post(f"/en/join/{school.code}", data=fields)
        assert answer.status_code == 422
        assert re.findall(r'class="field-fault" id="(\w+)-fault"', answer.text) == [field]
    await join(ana, school, "Ana", number="4711")
    taken = await ben.post(f"/en/join/{school.code}", data={"name": "Ben", "number": "4711"})
    assert taken.status_code == 422 and "number already" in taken.text and 'value="Ben"' in taken.text
    await database.write(school_classes.change_class, school.teacher, school.class_id, ClassChanges(joining=False), now_ms())
    assert "Nobody can join" in (await ben.post(f"/en/join/{school.code}", data={"name": "Ben", "number": "1"})).text
    stranger = browser_of(app)  # sends no cookie
    assert (await stranger.post(f"/en/join/{school.code}", data={"name": "Eve"})).status_code == 403


async def test_a_form_of_another_site_joins_nobody(app: FastAPI) -> None:
    school = await open_class(app)
    ana = await new_browser(app)
    for path, data in ((f"/en/join/{school.code}", {"name": "Ana"}), ("/en/resume", {"code": "x"})):
        assert (await ana.post(path, data=data, headers={"sec-fetch-site": "cross-site"})).status_code == 403
    assert await services_of(app).database.read(member_changes.list_members, school.class_id) == []


async def test_wrong_codes_are_slowed(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    school = await open_class(app)
    ana = await new_browser(app)
    for number in range(CODES.free):
        wrong = "/en/join/0000-0000" if number % 2 else "/en/join?code=0000-0000"
        assert (await ana.get(wrong)).status_code == 404
    for answer in (await ana.get(f"/en/join/{school.code}"), await ana.post("/en/resume", data={"code": "0" * 16})):
        assert answer.status_code == 429 and answer.headers["retry-after"] == "1"


async def test_a_resume_code_makes_another_browser_the_same_learner(app: FastAPI) -> None:
    school = await open_class(app)
    ana, other = await new_browser(app), await new_browser(app)
    code = await join(ana, school)
    assert (await other.post("/en/resume", data={"code": "0" * 16})).status_code == 404
    before = other.cookies["learner"]
    answer = await other.post("/en/resume", data={"code": code.lower().replace("-", " ")})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/en/class/{school.class_id}?new")
    assert learner_of(app, other) == learner_of(app, ana) and before != other.cookies["learner"]
    unfinished = await other.get("/en/resume?unfinished")  # its page was left before it had cleared the browser
    assert unfinished.headers["location"] == answer.headers["location"]
    assert (await (await new_browser(app)).get("/en/resume?unfinished")).status_code == 200
    renewed = await ana.post(f"/en/class/{school.class_id}/code")
    assert renewed.status_code == 200 and code not in renewed.text
    assert (await other.post("/en/resume", data={"code": code, "sure": "yes"})).status_code == 404


async def test_work_of_the_browser_is_left_behind_only_if_the_learner_says_so(app: FastAPI) -> None:
    school = await open_class(app)
    ana, other = await new_browser(app), await new_browser(app)
    code = await join(ana, school)
    await other.put(f"{DRAFTS}/use", json={"source": "mine", "version": 0})
    mine = learner_of(app, other)
    asked = await other.post("/en/resume", data={"code": code})
    assert asked.status_code == 422 and "not merged" in asked.text and learner_of(app, other) == mine
    await other.post("/en/resume", data={"code": code, "sure": "yes"})
    assert learner_of(app, other) == learner_of(app, ana)
    assert "mine" not in (await other.get(f"{DRAFTS}/use")).text


async def test_a_computer_is_handed_on_when_the_learner_has_the_code(app: FastAPI) -> None:
    school = await open_class(app)
    ana = await new_browser(app)
    await join(ana, school)
    learner = learner_of(app, ana)
    shown = await ana.post(f"/en/class/{school.class_id}/hand-on", data={"has_code": ""})
    code = re.search(r'translate="no">([0-9A-Z-]{19})<', shown.text)
    assert code and learner_of(app, ana) == learner
    answer = await ana.post(f"/en/class/{school.class_id}/hand-on", data={"has_code": "yes"})
    assert answer.headers["location"] == "/en/handed-on" and learner_of(app, ana) != learner
    assert (await ana.get(f"/en/class/{school.class_id}")).status_code == 404
    await ana.post("/en/resume", data={"code": code[1]})
    assert learner_of(app, ana) == learner


async def test_whoever_leaves_keeps_the_work_and_the_class_sees_none(app: FastAPI) -> None:
    school = await open_class(app)
    ana = await new_browser(app)
    await ana.put(f"{DRAFTS}/use", json={"source": "kept", "version": 0})
    code = await join(ana, school)
    assert (await ana.post(f"/en/class/{school.class_id}/leave")).status_code == 303
    (member,) = await services_of(app).database.read(member_changes.list_members, school.class_id)
    assert member.left_ms is not None and member.learners == 0
    assert "kept" in (await ana.get(f"{DRAFTS}/use")).text
    assert "own-class" not in (await ana.get("/en/mine")).text
    assert (await ana.post("/en/resume", data={"code": code, "sure": "yes"})).status_code == 404


async def test_the_header_names_one_or_two_classes_and_counts_no_archived_one(app: FastAPI) -> None:
    ana = await new_browser(app)
    before = (await ana.get("/en/reference")).text
    assert "in-class" not in before
    schools = [await open_class(app, f"Class {number}") for number in range(3)]
    for count, school in enumerate(schools, 1):
        await join(ana, school)
        page = await ana.get("/en/reference")
        named = re.findall(r"<bdi>(Class \d)</bdi></a>", page.text)
        assert named == ([f"Class {number}" for number in range(count)] if count < 3 else [])
        assert page.headers["cache-control"] == "no-store"
    assert 'href="/en/mine#classes">Your classes</a>' in page.text
    await services_of(app).database.write(school_classes.archive_class, schools[0].teacher, schools[0].class_id, now_ms())
    assert re.findall(r"<bdi>(Class \d)</bdi></a>", (await ana.get("/en/reference")).text) == ["Class 1", "Class 2"]
    assert (await ana.get(f"/en/class/{schools[0].class_id}")).status_code == 404


async def test_a_lesson_that_is_closed_in_every_class_that_has_it_says_when_it_opens(app: FastAPI) -> None:
    closed = await open_class(app, "Closed", [ClassLesson(lesson=LESSON, opens_ms=now_ms() + DAY_MS)])
    ana = await new_browser(app)
    await join(ana, closed)
    for lang, words in (("en", "has not opened this lesson yet. It opens:"), ("zh-Hans", "尚未开放本课")):
        page = (await ana.get(f"/{lang}/{LESSON}")).text
        assert words in page and "<code-cell" not in page
    for path in ("/en/", "/en/map", f"/en/class/{closed.class_id}"):
        page = (await ana.get(path)).text
        assert "opens <time" in page and f'href="/en/{LESSON}"' not in page.split("</ol>")[0], path
    assert LESSON not in (await ana.get("/en/")).text  # nor does the script offer it
    assert f"/en/{LESSON}" not in (await ana.get("/en/mine")).text.partition('class="own-bookkeeping"')[0]
    await join(ana, await open_class(app, "Without it"))
    assert "It opens:" in (await ana.get(f"/en/{LESSON}")).text
    await services_of(app).database.write(
        class_lessons.set_lessons, closed.teacher, closed.class_id, [ClassLesson(lesson=LESSON, opens_ms=None)]
    )
    assert "Whoever teaches it opens it" in (await ana.get(f"/en/{LESSON}")).text
    await join(ana, await open_class(app, "Open", [ClassLesson(lesson=LESSON, opens_ms=0)]))
    assert "<code-cell" in (await ana.get(f"/en/{LESSON}")).text
    async with httpx.AsyncClient(transport=ana._transport, base_url="http://localhost") as stranger:
        assert "<code-cell" in (await stranger.get(f"/en/{LESSON}")).text
