"""Signing in and out, what does not sign in, and what is recorded of it."""

import asyncio
import re
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI
from sqlalchemy import update

from app.classroom.people import audit, passwords, people, person_sessions, sign_in_links
from app.classroom.people.people import Person
from app.classroom.people.person_sessions import IDLE_DAYS
from app.classroom.people.sign_in_links import LINK_DAYS
from app.classroom.people.wrong_sign_ins import ADDRESS, NAME
from app.classroom.store.schema.tables import PersonSessionRow
from app.classroom.store.times import DAY_MS, now_ms
from app.web.guards import person_cookies
from tests.classroom.audit_entries import list_newest
from tests.patience import PATIENCE_SECONDS
from tests.postgresql import ONLY_SQLITE
from tests.web.conftest import MakeApp, client_of
from tests.web.kept import break_store, services_of
from tests.web.people import FIREFOX, HASHED, OWN_PAGE, PASSWORD, add_person, browser_of, give_session, is_signed_in, make_link, sign_in

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("database_url")]
FORMS = (
    "/en/sign-in",
    "/en/sign-in/x",
    "/en/account/password",
    "/en/account/sessions/1/end",
    "/en/account/others/end",
    "/en/account/sign-out",
)
NEW_PASSWORD = "another pair of words"
SCHOOL = "198.51.100.1"


@pytest.fixture
def app(make_app: MakeApp) -> FastAPI:
    return make_app()


@pytest.fixture
async def ada(app: FastAPI) -> Person:
    return await add_person(app, "Ada Lovelace")


@pytest.fixture
def cheap_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A password of an unknown name is compared with a hash that takes little time, for tests that guess a hundred times."""
    monkeypatch.setattr(passwords, "NO_PASSWORD", HASHED)


@pytest.fixture
async def browser(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with browser_of(app) as client:
        yield client


async def actions(app: FastAPI) -> list[str]:
    return [entry.action for entry in reversed(await services_of(app).database.read(list_newest, 100))]


async def test_a_link_gives_a_password_once_and_signs_in(app: FastAPI, ada: Person, browser: httpx.AsyncClient) -> None:
    link = await make_link(app, ada)
    for _ in range(2):  # to look at it does not use it up
        page = await browser.get(link)
        assert "Ada Lovelace" in page.text
        assert page.headers["cache-control"] == "no-store"
    answer = await browser.post(link, data={"password": NEW_PASSWORD})
    assert (answer.status_code, answer.headers["location"]) == (303, "/en/account")
    assert "Ada Lovelace" in (await browser.get("/en/account")).text
    async with browser_of(app) as other:
        assert (await other.get(link)).status_code == 404
        assert (await other.post(link, data={"password": "a third pair of words"})).status_code == 404
        assert not await is_signed_in(other)
        assert (await sign_in(other, "ada lovelace")).status_code == 403  # the earlier password
        assert (await sign_in(other, "ada lovelace", NEW_PASSWORD)).status_code == 303
        assert await is_signed_in(other)
    assert await actions(app) == ["link_used", "signed_in"]


async def test_a_weak_password_leaves_the_link_as_it_is(app: FastAPI, ada: Person, browser: httpx.AsyncClient) -> None:
    link = await make_link(app, ada)
    answer = await browser.post(link, data={"password": "short"})
    assert (answer.status_code, "at least 10 characters" in answer.text) == (422, True)
    assert (await browser.post(link, data={"password": NEW_PASSWORD})).status_code == 303


async def test_an_expired_an_older_and_a_guessed_link_sign_nobody_in(app: FastAPI, ada: Person, browser: httpx.AsyncClient) -> None:
    older, link = await make_link(app, ada), await make_link(app, ada)
    early = now_ms() - LINK_DAYS * DAY_MS
    expired = f"/en/sign-in/{await services_of(app).database.write(sign_in_links.make_link, ada.id, early)}"
    for wrong in (older, link, expired, f"{link}x", f"/zh-Hans/sign-in/{'A' * 43}"):
        assert (await browser.get(wrong)).status_code == 404
        assert (await browser.post(wrong, data={"password": NEW_PASSWORD})).status_code == 404
    assert not await is_signed_in(browser)


@pytest.mark.parametrize(("base", "name", "secure"), [("http://localhost", "person", False), ("https://localhost", "__Host-person", True)])
async def test_the_cookie_is_not_for_scripts_nor_for_other_sites(app: FastAPI, ada: Person, base: str, name: str, secure: bool) -> None:
    async with browser_of(app) as client:
        answer = await client.post(f"{base}/en/sign-in", data={"name": ada.name, "password": PASSWORD})
        cookies = [cookie for cookie in answer.headers.get_list("set-cookie") if not cookie.startswith("learner=")]
        assert cookies[0].startswith(f"{name}=")
        for cookie in cookies:
            assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
            assert ("Secure" in cookie) == secure
        assert (await client.get(f"{base}/en/account")).status_code == 200


async def test_an_unknown_name_and_a_wrong_password_have_the_same_answer(app: FastAPI, ada: Person, browser: httpx.AsyncClient) -> None:
    answers = [await sign_in(browser, name, "a wrong password") for name in ("Ada Lovelace", "Nobody Here", "")]
    pages = {re.sub(r'value="[^"]*"|nonce="[^"]*"|nonce-[\w-]+', "", answer.text) for answer in answers}
    assert {answer.status_code for answer in answers} == {403}
    assert len(pages) == 1


async def test_wrong_tries_are_slowed_but_lock_nobody_out_elsewhere(app: FastAPI, ada: Person) -> None:
    async with browser_of(app, "203.0.113.7") as guesser, browser_of(app, "198.51.100.9") as owner:
        statuses = [(await sign_in(guesser, "ada lovelace", "a wrong password")).status_code for _ in range(NAME.free)]
        assert statuses == [403] * NAME.free
        slowed = await sign_in(guesser, "ada lovelace")  # even the right one
        assert (slowed.status_code, int(slowed.headers["retry-after"])) == (429, 1)
        assert (await sign_in(owner, "ada lovelace")).status_code == 303
        link = await make_link(app, ada)
        assert (await guesser.post(link, data={"password": NEW_PASSWORD})).status_code == 303
    assert (await actions(app)).count("sign_in_slowed") == 1


async def test_who_comes_while_too_many_sign_in_is_told_to_come_back_and_has_tried_nothing(
    app: FastAPI, ada: Person, browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as full:
        full.setattr(passwords, "MOST_WAITING", 0)
        answers = [await sign_in(browser, ada.name) for _ in range(2 * NAME.free)]
    assert {(answer.status_code, answer.headers["retry-after"]) for answer in answers} == {(503, "2")}
    assert (await sign_in(browser, ada.name)).status_code == 303


@pytest.mark.usefixtures("cheap_guesses")
async def test_pupils_do_not_lock_the_teachers_computer_out(app: FastAPI, ada: Person) -> None:
    async with browser_of(app, SCHOOL) as teacher, browser_of(app, SCHOOL) as pupil:
        await sign_in(teacher, ada.name)
        await teacher.post("/en/account/sign-out")
        for number in range(ADDRESS.free + 5):
            await sign_in(pupil, ada.name if number < NAME.free else f"name {number}", "a wrong password")
        assert [(await sign_in(pupil, name)).status_code for name in (ada.name, "another")] == [429, 429]
        assert (await sign_in(teacher, ada.name)).status_code == 303


@pytest.mark.usefixtures("cheap_guesses")
async def test_a_computer_of_several_people_is_known_for_each_of_them(app: FastAPI, ada: Person) -> None:
    bob = await add_person(app, "Bob")
    async with browser_of(app, SCHOOL) as teachers, browser_of(app, SCHOOL) as pupil:
        for person in (ada, bob):
            await sign_in(teachers, person.name)
            await teachers.post("/en/account/sign-out")
        for number in range(ADDRESS.free):
            await sign_in(pupil, f"name {number}", "a wrong password")
        for person in (ada, bob):
            assert (await sign_in(teachers, person.name)).status_code == 303
            await teachers.post("/en/account/sign-out")


async def test_forged_cookies_name_nobody_and_cost_no_query(app: FastAPI, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(person_sessions, "find_session", lambda connection, token, now: asked.append(token))
    real = services_of(app).person_cookies.header("a token", secure=False).split(";")[0].partition("=")[2]
    learner = services_of(app).sessions.give()
    for forged in ("", "x", "x.y", "a token", f"{real}x", real.replace("a", "b", 1), learner, "a" * 5000):
        async with browser_of(app) as client:
            assert (await client.get("/en/account", headers={"cookie": f'person="{forged}"'})).status_code == 401
    assert asked == []
    async with browser_of(app) as client:
        assert (await client.get("/en/account", headers={"cookie": f'person="{real}"'})).status_code == 401
    assert asked == ["a token"]


async def test_a_learner_without_the_cookie_costs_no_query(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise AssertionError("the store was asked who is signed in")

    monkeypatch.setattr(services_of(app).person_cookies, "_look_up", fail)
    async with browser_of(app) as client:
        page = await client.get("/en/")
    assert page.status_code == 200
    assert "signed-in" not in page.text


async def test_a_session_is_looked_up_once_in_some_seconds(app: FastAPI, ada: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[str] = []
    find = person_sessions.find_session

    def count(connection: object, token: str, now: int) -> object:
        found.append(token)
        return find(connection, token, now)  # type: ignore[arg-type]

    monkeypatch.setattr(person_sessions, "find_session", count)
    async with browser_of(app) as client:
        await give_session(app, ada, client)
        for _ in range(5):
            assert "Signed in as Ada Lovelace" in (await client.get("/en/")).text
        assert len(found) == 1
        monkeypatch.setattr(person_cookies, "CACHED_SECONDS", 0)
        await client.get("/en/")
    assert len(found) == 2


async def test_a_cookie_that_was_signed_out_is_worth_nothing(app: FastAPI, ada: Person, browser: httpx.AsyncClient) -> None:
    await sign_in(browser, ada.name)
    stolen = dict(browser.cookies)
    assert (await browser.post("/en/account/sign-out")).headers["location"] == "/en/sign-in"
    assert "person" not in browser.cookies
    async with browser_of(app) as thief:
        thief.cookies.update(stolen)
        assert not await is_signed_in(thief)


async def test_what_another_process_ends_is_over_when_it_is_looked_up_again(
    app: FastAPI, ada: Person, browser: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    await give_session(app, ada, browser)
    assert await is_signed_in(browser)
    await services_of(app).database.write(people.remove_person, ada.id)  # as the command does
    monkeypatch.setattr(person_cookies, "CACHED_SECONDS", 0)
    assert not await is_signed_in(browser)


async def test_an_idle_session_ends(app: FastAPI, ada: Person, browser: httpx.AsyncClient) -> None:
    await give_session(app, ada, browser)
    early = now_ms() - IDLE_DAYS * DAY_MS
    await services_of(app).database.write(lambda connection: connection.execute(update(PersonSessionRow).values(seen_ms=early)))
    assert not await is_signed_in(browser)


async def test_sessions_are_listed_and_ended_one_by_one_or_all_others(app: FastAPI, ada: Person, browser: httpx.AsyncClient) -> None:
    await give_session(app, ada, browser)
    others = [browser_of(app) for _ in range(3)]
    for other in others:
        await give_session(app, ada, other)
    page = (await browser.get("/en/account")).text
    assert page.count("Firefox on Linux") == 4 + 3  # three of them with a button
    assert page.count("<strong>this browser") == 1
    first = re.findall(r"account/sessions/(\d+)/end", page)[-1]  # the newest is listed first
    assert (await browser.post(f"/en/account/sessions/{first}/end")).status_code == 303
    assert [await is_signed_in(other) for other in others] == [False, True, True]
    assert (await browser.post(f"/en/account/sessions/{first}/end")).status_code == 404
    assert (await browser.post(f"/en/account/sessions/{10**30}/end")).status_code == 404
    assert (await browser.post("/en/account/others/end")).status_code == 303
    assert [await is_signed_in(other) for other in others] == [False, False, False]
    assert await is_signed_in(browser)
    assert await actions(app) == ["session_ended", "sessions_ended"]
    for other in others:
        await other.aclose()


async def test_a_changed_password_ends_the_other_sessions(app: FastAPI, ada: Person, browser: httpx.AsyncClient) -> None:
    await give_session(app, ada, browser)
    link = await make_link(app, ada)
    async with browser_of(app) as other:
        await give_session(app, ada, other)
        wrong = await browser.post("/en/account/password", data={"old": "not this one", "password": NEW_PASSWORD})
        assert (wrong.status_code, "not your present password" in wrong.text) == (403, True)
        assert (await browser.post("/en/account/password", data={"old": PASSWORD, "password": "short"})).status_code == 422
        done = await browser.post("/en/account/password", data={"old": PASSWORD, "password": NEW_PASSWORD}, follow_redirects=True)
        assert "Your password is changed." in done.text
        assert [await is_signed_in(one) for one in (browser, other)] == [True, False]
        assert (await sign_in(other, ada.name)).status_code == 403
        assert (await sign_in(other, ada.name, NEW_PASSWORD)).status_code == 303
    assert (await browser.get(link)).status_code == 404
    assert await actions(app) == ["password_changed", "signed_in"]


async def test_the_old_password_cannot_be_guessed_in_an_open_session(app: FastAPI, ada: Person, browser: httpx.AsyncClient) -> None:
    await give_session(app, ada, browser)
    guess = {"old": "a wrong password", "password": NEW_PASSWORD}
    statuses = [(await browser.post("/en/account/password", data=guess)).status_code for _ in range(NAME.free + 2)]
    assert statuses == [403] * NAME.free + [429] * 2


async def test_an_old_hash_is_replaced_at_the_next_sign_in(app: FastAPI, ada: Person, browser: httpx.AsyncClient) -> None:
    before = await services_of(app).database.read(people.read_password, ada.id)
    for _ in range(2):
        assert (await sign_in(browser, ada.name)).status_code == 303
    after = await services_of(app).database.read(people.read_password, ada.id)
    assert before and after and "m=1024" in before and "m=32768" in after


@pytest.mark.parametrize("path", FORMS)
async def test_a_page_of_another_site_can_post_no_form(app: FastAPI, ada: Person, path: str) -> None:
    for headers in (
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {},
    ):
        async with client_of(app) as client:
            await give_session(app, ada, client)
            answer = await client.post(path, headers=headers, data={"name": ada.name, "password": PASSWORD, "old": PASSWORD})
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "other_origin"), headers
            assert "set-cookie" not in answer.headers
            assert await is_signed_in(client)


async def test_over_plain_http_a_browser_says_the_origin_and_can_sign_in(app: FastAPI, ada: Person) -> None:
    async with client_of(app) as client:
        client.headers["origin"] = "http://localhost"
        assert (await sign_in(client, ada.name)).status_code == 303
        assert (await client.post("/en/account/sign-out")).status_code == 303


async def test_no_token_and_no_password_is_logged_or_recorded(
    app: FastAPI, ada: Person, browser: httpx.AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    link = await make_link(app, ada)
    await sign_in(browser, PASSWORD, "wrong")  # in the wrong field
    await browser.get(link)
    await browser.post(link, data={"password": NEW_PASSWORD})
    await sign_in(browser, ada.name, NEW_PASSWORD)
    logged = capsys.readouterr().out
    rows = str(await services_of(app).database.read(list_newest, 100))
    tokens = [link.rpartition("/")[2], browser.cookies["person"].strip('"').partition(".")[0], NEW_PASSWORD, PASSWORD]
    assert "/en/sign-in/…" in logged
    assert [token for token in tokens if token in logged + rows] == []


async def test_old_entries_of_the_audit_table_are_deleted_when_web_starts(app: FastAPI) -> None:
    database = services_of(app).database
    await database.write(audit.append, 1, audit.SERVER, "long ago")
    await database.write(audit.append, now_ms(), audit.SERVER, "now")
    async with app.router.lifespan_context(app), asyncio.timeout(PATIENCE_SECONDS):
        while await actions(app) != ["now"]:
            await asyncio.sleep(0)


async def test_who_signs_in_again_has_one_session(app: FastAPI, ada: Person, browser: httpx.AsyncClient) -> None:
    for _ in range(3):
        await sign_in(browser, ada.name)
    assert len(await services_of(app).sign_ins.list_sessions(ada)) == 1
    assert (await browser.get("/en/sign-in")).headers["location"] == "/en/account"


@ONLY_SQLITE
async def test_without_the_store_pages_go_on_and_the_account_says_why_it_does_not(app: FastAPI) -> None:
    break_store(services_of(app).settings)
    async with browser_of(app) as client:
        client.cookies.set("person", services_of(app).person_cookies.header("x", secure=False).split(";")[0].partition("=")[2])
        assert (await client.get("/en/")).status_code == 200
        answers = [await client.get("/en/account"), await sign_in(client, "Ada Lovelace")]
        assert [answer.status_code for answer in answers] == [503, 503]
        assert all(answer.headers["content-type"].startswith("text/html") for answer in answers)


@pytest.mark.parametrize("body", [b"\xff", b"&".join([b"a=b"] * 100)])
async def test_what_is_no_form_is_a_422(app: FastAPI, body: bytes) -> None:
    async with client_of(app) as client:
        form = {"content-type": "application/x-www-form-urlencoded"}
        assert (await client.post("/en/sign-in", content=body, headers=OWN_PAGE | form)).status_code == 422
        assert (await client.post("/en/sign-in", json={"name": "x"}, headers=OWN_PAGE)).status_code == 422


@pytest.mark.parametrize("address", ["/sign-in", "/sign-in/x", "/account"])
async def test_an_address_without_a_language_leads_to_the_browsers(app: FastAPI, address: str) -> None:
    async with client_of(app) as client:
        answer = await client.get(address, headers={"accept-language": "zh", "user-agent": FIREFOX})
        assert answer.headers["location"] == f"/zh-Hans{address}"
