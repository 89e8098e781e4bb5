"""Who may do what: every route, for every role, on own things and on those of others."""

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from pydantic import SecretStr
from sqlalchemy import Connection
from starlette.routing import BaseRoute, Mount

from app.classroom.classes import notes
from app.classroom.people.people import Person
from app.classroom.people.roles import Role
from app.classroom.store.schema.tables import StoreTable
from app.classroom.store.times import now_ms
from app.main import create_app
from app.serving.author import create_author_app
from app.settings import PROJECT, Settings
from app.web.guards.access import ANYONE, RULES, AccessRule, GuardedRoute, RouteWithoutRule, allow, check_rules, list_rules
from app.web.guards.principal import Principal
from tests.web.conftest import MakeApp, client_of, share_routes
from tests.web.exercises import SUBMISSIONS, make_catalogue, make_grading
from tests.web.fake_runner import RUN_ID, FakeRunner
from tests.web.kept import DRAFTS, LESSON, services_of
from tests.web.people import OWN_PAGE, add_person, browser_of, find_person, give_session
from tests.web.school import join, open_class

pytestmark = pytest.mark.anyio
TOKEN = "an operator's token"
SECRET_WORK = "what-only-this-learner-wrote"
PAGES = (
    "/", "/map", "/paths", "/paths/{path_id}", "/playground", "/mine", "/search", "/reference", "/glossary", "/cards/{card_id}",
    "/what-works", "/pitfalls", "/pitfalls/{code}", "/sign-in", "/sign-in/{token}", "/join", "/join/{code}",
    "/resume", "/handed-on",
)  # fmt: skip
FORMS = ("/account/password", "/account/sessions/{session_id:int}/end", "/account/others/end", "/account/sign-out")
CLASS = "/teach/{class_id:int}"
MEMBER, CELL = f"{CLASS}/people/{{member_id:int}}", f"{CLASS}/points/{{member_id:int}}/{{chapter}}/{{lesson}}/{{exercise}}"
CLASS_PAGES = (
    "/teach", *(f"{CLASS}/{tab}" for tab in ("lessons", "people", "people/merge", "roster.csv", "code", "settings", "points")),
    f"{CLASS}/points/canvas.csv", f"{CLASS}/points/moodle.csv", MEMBER, CELL,
)  # fmt: skip
CLASS_FORMS = (
    "/teach/make", f"{CLASS}/lessons", f"{CLASS}/people/roster", f"{CLASS}/people/staff", f"{CLASS}/people/staff/{{person_id:int}}/remove",
    f"{CLASS}/people/merge", *(f"{MEMBER}/{do}" for do in ("name", "code", "remove")), f"{CLASS}/code/joining", f"{CLASS}/code/renew",
    f"{CLASS}/settings", *(f"{CLASS}/settings/{do}" for do in ("copy", "archive", "delete")), CELL,
)  # fmt: skip
BOARD_PAGES = tuple(f"{CLASS}{page}" for page in ("", "/progress", "/show/{attempt_id:int}"))
MEMBER_API, NOTES = "/api/classes/{class_id:int}/members/{member_id:int}", "/api/classes/{class_id:int}/attempts/{attempt_id:int}/notes"
LANGS = ("/en", "/zh-Hans")
EXERCISE = "/api/lessons/{chapter}/{lesson}/exercises/{exercise}"
# what each rule is for; a route that is not here, or has another rule, fails the first test
EXPECTED = {
    "anyone": {
        *(f"GET {lang}{page}" for lang in ("", *LANGS) for page in PAGES),
        *(f"GET {page}" for page in (*CLASS_PAGES, *BOARD_PAGES)),  # lead to the page in the browser's language
        *(f"GET {lang}/{place}" for lang in LANGS for place in ("{chapter}", "{chapter}/{lesson}")),
        *(f"POST {lang}{page}" for lang in LANGS for page in ("/sign-in", "/sign-in/{token}", "/join/{code}", "/resume")),
        "GET /account", "GET /operator", "GET /class/{class_id:int}",  # lead to the page in the browser's language
        "GET /{tag:othercase}", "GET /{tag:othercase}/{rest:path}", "GET /{chapter:name}", "GET /{chapter:name}/{lesson:name}",
        "GET /lessons/{chapter}/{lesson}/images/{digest}/{name}", "GET /sitemap.xml", "GET /robots.txt", "GET /healthz", "GET /readyz",
        "GET /metrics", "GET /metrics/own", "GET /api/docs", "GET /docs", "GET /openapi.json", "GET /api/openapi.json",
        "GET /api/instruments", "GET /api/lessons", "GET /api/lessons/{chapter}/{lesson}", "GET /api/search", "MOUNT /static",
        "POST /api/runs", "DELETE /api/runs/{run_id}", "POST /api/runs/{run_id}/trace", "POST /api/marks",
        f"POST {EXERCISE}/submissions", f"POST {EXERCISE}/solution", "POST /api/lessons/{chapter}/{lesson}/predictions/{prediction}",
    },
    "own work": {
        "GET /api/me", "DELETE /api/me", "POST /api/me/leave", "PUT /api/me/reviews", "GET /api/me/export", "POST /api/me/import",
        "GET /api/me/attempts", "POST /api/me/work", "PUT /api/me/drafts/{chapter}/{lesson}/{cell}",
        "GET /api/me/drafts/{chapter}/{lesson}/{cell}", "GET /api/me/class-events", "PUT /api/me/classes/{class_id:int}/hand",
        "DELETE /api/me/classes/{class_id:int}/hand", "POST /api/me/notes/{note_id:int}/read",
        *(f"GET {lang}/class/{{class_id:int}}" for lang in LANGS),
        *(f"POST {lang}/class/{{class_id:int}}/{form}" for lang in LANGS for form in ("code", "leave", "hand-on")),
    },
    "signed in": {f"GET {lang}/account" for lang in LANGS} | {f"POST {lang}{form}" for lang in LANGS for form in FORMS},
    "teaching": {
        *(f"GET {lang}{page}" for lang in LANGS for page in (*CLASS_PAGES, *BOARD_PAGES)), "GET /api/classes/{class_id:int}/board",
        "GET /api/classes/{class_id:int}/board/events", f"GET {MEMBER_API}", f"POST {MEMBER_API}/coming", f"DELETE {MEMBER_API}/coming",
        f"DELETE {MEMBER_API}/hand", f"POST {NOTES}",
    },
    "instructor": {f"POST {lang}{form}" for lang in LANGS for form in CLASS_FORMS},
    "operator": {"GET /api/sandbox", "GET /api/operator", *(f"GET {lang}/operator" for lang in LANGS)},
    "author": {"GET /api/author/events", "POST /api/author/lessons/{chapter}/{lesson}/cells/{cell}/shows"},
}  # fmt: skip
SENDERS = ("nobody", "learner", "assistant", "instructor", "operator", "token")
MAY = {
    "anyone": SENDERS,
    "own work": ("learner",),
    "signed in": ("assistant", "instructor", "operator"),
    "teaching": ("assistant", "instructor", "operator"),
    "instructor": ("instructor", "operator"),
    "operator": ("operator", "token"),
    "author": SENDERS,
}
REFUSALS = {
    "own work": (403, "no_learner"),
    "signed in": (401, "not_signed_in"),
    "teaching": (403, "teachers_only"),
    "instructor": (403, "instructors_only"),
    "operator": (403, "operators_only"),
}
# of the learner and the person whose things others try to get at
NAMES = {
    "chapter": "one", "lesson": "first", "cell": "use", "exercise": "fix", "prediction": "guess", "run_id": RUN_ID, "path_id": "x",
    "card_id": "x", "code": "accumulation-lost", "token": "x", "session_id": "999", "class_id": "1", "note_id": "1", "member_id": "1",
    "attempt_id": "1", "person_id": "1", "tag": "EN", "rest": "x", "digest": "x", "name": "x",
}  # fmt: skip
BODIES: dict[str, dict[str, Any]] = {
    "POST /api/runs": {"source": "x"},
    "POST /api/marks": {"source": "x"},
    f"POST {EXERCISE}/submissions": {"source": "x"},
    "POST /api/lessons/{chapter}/{lesson}/predictions/{prediction}": {"answer": None},
    "PUT /api/me/reviews": {"on": False},
    "POST /api/me/work": {"lesson": LESSON, "cells": ["use"]},
    "PUT /api/me/drafts/{chapter}/{lesson}/{cell}": {"source": "another's", "version": 1},
    f"POST {NOTES}": {"line": 1, "text": "x"},
    "PUT /api/me/classes/{class_id:int}/hand": {"lesson": LESSON, "exercise": "fix", "shares": True},
}


@dataclass(frozen=True)
class Asked:
    """A request to a route."""

    rule: str
    method: str
    pattern: str

    @property
    def name(self) -> str:
        return f"{self.method} {self.pattern}"

    @property
    def path(self) -> str:
        path = re.sub(r"{(\w+)(:\w+)?}", lambda name: NAMES[name[1]], self.pattern)
        return path + (f"?exercise={LESSON}/fix" if self.pattern == "/api/me/attempts" else "")


def list_asked(app: FastAPI) -> Iterator[Asked]:
    """Every request that the route table answers. HEAD is asked with GET."""
    for route, rule in list_rules(app.routes):
        for method in methods_of(route):
            yield Asked(rule.name, method, str(getattr(route, "path", "")))


def methods_of(route: BaseRoute) -> list[str]:
    if isinstance(route, Mount):
        return ["MOUNT"]
    methods: set[str] = getattr(route, "methods", None) or set()
    return sorted(methods - {"HEAD"}) or ["HEAD"]


@pytest.fixture
def app(settings: Settings) -> FastAPI:
    settings = settings.model_copy(update={"operator_token": SecretStr(TOKEN), "solutions": "always"})
    return share_routes(create_app(settings, FakeRunner(make_grading()), make_catalogue()))


@pytest.fixture
async def senders(app: FastAPI) -> AsyncIterator[dict[str, httpx.AsyncClient]]:
    """Return a client for each of SENDERS. The people are not learners as well."""
    clients = {name: client_of(app) for name in SENDERS}
    clients["learner"].cookies.set("learner", services_of(app).sessions.give())
    for role in (Role.ASSISTANT, Role.INSTRUCTOR, Role.OPERATOR):
        await give_session(app, await add_person(app, role, role), clients[role])
    clients["token"].headers["authorization"] = f"Bearer {TOKEN}"
    for client in clients.values():
        client.headers.update(OWN_PAGE)
    yield clients
    for client in clients.values():
        await client.aclose()


async def send(client: httpx.AsyncClient, asked: Asked, **request: Any) -> httpx.Response:
    """Send a request with the client's own cookies, and take none of the answer."""
    cookies = dict(client.cookies)
    answer = await client.request(asked.method, asked.path, **request)
    client.cookies.clear()
    for name, value in cookies.items():
        client.cookies.set(name, value)
    return answer


def test_every_route_has_the_rule_that_is_expected(app: FastAPI, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "course").mkdir()
    author = create_author_app(settings.model_copy(update={"lessons_folder": tmp_path / "course"}))
    found: dict[str, set[str]] = {rule.name: set() for rule in RULES}
    for asked in (*list_asked(app), *list_asked(author)):
        if asked.method != "HEAD":
            found[asked.rule].add(asked.name)
    assert found == EXPECTED
    assert MAY.keys() == EXPECTED.keys()


async def test_every_route_answers_or_refuses_every_role_as_its_rule_says(app: FastAPI, senders: dict[str, httpx.AsyncClient]) -> None:
    tried = 0
    for asked in list_asked(app):
        for name, client in senders.items():
            if asked.method in ("MOUNT", "HEAD") or asked.pattern == "/{tag:othercase}/{rest:path}":
                continue
            tried += 1
            if name in MAY[asked.rule]:
                # a body that no route takes: what is allowed here is whether it is looked at
                status = (await send(client, asked, content=b"{")).status_code
                assert status not in (401, 403), (asked, name, status)
                if asked.name == "DELETE /api/me":
                    client.cookies.set("learner", services_of(app).sessions.give())
                if asked.pattern.endswith("/sign-out"):
                    await give_session(app, await find_person(app, name), client)
            else:
                answer = await send(client, asked, content=b"{")
                status, code = REFUSALS[asked.rule]
                assert answer.status_code == status, (asked, name)
                if asked.pattern.startswith("/api/"):
                    assert answer.json()["error"]["code"] == code
                else:
                    assert answer.headers["content-type"].startswith("text/html")
                    assert 'href="/' in answer.text and ("resume" if asked.rule == "own work" else "sign-in") in answer.text
    assert tried > 500


async def test_the_body_of_a_refused_request_is_not_read(app: FastAPI, senders: dict[str, httpx.AsyncClient]) -> None:
    async def never() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    tried = 0
    for asked in list_asked(app):
        for name, client in senders.items():
            if name not in MAY[asked.rule] and asked.method in ("POST", "PUT", "DELETE"):
                tried += 1
                assert (await send(client, asked, content=never())).status_code == REFUSALS[asked.rule][0]
    assert tried > 50


async def test_nobody_gets_at_the_things_of_another(app: FastAPI, senders: dict[str, httpx.AsyncClient]) -> None:
    victim = browser_of(app)
    victim.cookies.set("learner", services_of(app).sessions.give())
    await victim.post(SUBMISSIONS, json={"source": f"# {SECRET_WORK}"}, headers={"idempotency-key": "a"})
    assert (await victim.put(f"{DRAFTS}/use", json={"source": f"# {SECRET_WORK}", "version": 0})).status_code == 200
    person = await add_person(app, "victim")
    for _ in range(2):
        await give_session(app, person, victim)
    sessions = [one.id for one in await services_of(app).sign_ins.list_sessions(person)]
    learner = services_of(app).sessions.read(victim.cookies["learner"])
    school = await open_class(app)  # with the numbers 1 of a class, a member and a note
    await join(victim, school, "Victim", brings="yes")
    attempt = await services_of(app).database.read(lambda db: db.exec_driver_sql("SELECT id FROM attempt").scalar_one())
    await services_of(app).database.write(notes.add_note, school.teacher, school.class_id, attempt, 1, SECRET_WORK, "T", now_ms())
    before = await services_of(app).database.read(rows_of, learner, person.id)
    assert SECRET_WORK in str(before) and len(sessions) == 2

    tried = 0
    for asked in list_asked(app):
        for name, client in senders.items():
            if asked.method in ("MOUNT", "HEAD") or asked.pattern.endswith("sign-out"):
                continue
            body = {"json": BODIES[asked.name]} if asked.name in BODIES else {"data": {"old": "x", "password": "x"}}
            for session_id in sessions if "session_id" in asked.pattern else sessions[:1]:
                mine = Asked(asked.rule, asked.method, asked.pattern.replace("{session_id:int}", str(session_id)))
                answer = await send(client, mine, **(body if asked.method in ("POST", "PUT") else {}))
                tried += 1
                assert SECRET_WORK.encode() not in answer.content, (asked, name)
                assert not re.search("(session|class|note)_id", asked.pattern) or answer.status_code in (307, 401, 403, 404), (asked, name)
    assert tried > 500
    assert await services_of(app).database.read(rows_of, learner, person.id) == before
    assert SECRET_WORK in (await victim.get(f"{DRAFTS}/use")).text
    await victim.aclose()


def rows_of(connection: Connection, learner: str, person_id: int) -> dict[str, list[Any]]:
    """All rows of a learner and of a person, by table."""
    learner_id = connection.exec_driver_sql("SELECT id FROM learner WHERE name = ?", (learner,)).scalar()
    found = {"person": connection.exec_driver_sql("SELECT * FROM person WHERE id = ?", (person_id,)).all()}
    for table in StoreTable.metadata.sorted_tables:
        for column, value in (("learner_id", learner_id), ("person_id", person_id)):
            if column in table.c:
                rows = connection.exec_driver_sql(f"SELECT * FROM {table.name} WHERE {column} = ?", (value,)).all()
                found[table.name] = [tuple(row) for row in rows]
    return {name: [tuple(row) for row in rows] for name, rows in found.items()}


def test_a_route_without_a_rule_does_not_start(settings: Settings) -> None:
    @allow(ANYONE)
    async def ruled() -> None: ...

    async def unruled() -> None: ...

    class Author:
        generation = "1"

        def __init__(self, router: APIRouter) -> None:
            self.router = router

        def tell(self, ended: object) -> None: ...

    for router, endpoint in ((APIRouter(route_class=GuardedRoute), unruled), (APIRouter(), ruled), (APIRouter(), unruled)):
        router.add_api_route("/forgotten", endpoint)
        with pytest.raises(RouteWithoutRule, match="/forgotten"):
            create_app(settings, FakeRunner(), make_catalogue(), author=Author(router))  # type: ignore[arg-type]
    with pytest.raises(RouteWithoutRule):
        check_rules([Mount("/forgotten", ruled)])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_page_for_people_says_what_each_role_may_do(rule: AccessRule) -> None:
    """The table of docs/people.md, compared with the rules."""
    page = (PROJECT / "docs" / "people.md").read_text(encoding="utf-8")
    header = re.search(r"^\| rule \|(.*)\|$", page, re.MULTILINE)
    row = re.search(rf"^\| {rule.name} \|((?: \w+ \|){{4}} \w+ )\|$", page, re.MULTILINE)
    assert header and row
    cells = dict(zip((one.strip() for one in header[1].split("|")), (one.strip() for one in row[1].split("|")), strict=True))
    roles = {role: principal_of(role) for role in Role}
    assert {role: cells[role] for role in Role} == {role: "yes" if rule.allows(sender) else "no" for role, sender in roles.items()}


def principal_of(role: Role) -> Principal:
    """Return a principal of a role. Only that of the role "learner" is a learner."""
    if role in (Role.LEARNER, Role.ANONYMOUS):
        return Principal(learner="ada" if role is Role.LEARNER else None, address="")
    return Principal(learner=None, address="", person=Person(id=1, name="Ada", role=role))


async def test_a_wrong_token_is_no_operators(make_app: MakeApp) -> None:
    async with client_of(make_app(operator_token=SecretStr(TOKEN))) as client:
        for given in ("", TOKEN, f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer ", "Bearer ä"):
            headers = {"authorization": given.encode()}
            assert (await client.get("/api/sandbox", headers=headers)).status_code == 403  # type: ignore[arg-type]
    async with client_of(make_app()) as client:
        assert (await client.get("/api/sandbox", headers={"authorization": "Bearer None"})).status_code == 403
