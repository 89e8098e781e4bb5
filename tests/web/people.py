"""What the tests of people share: people with a password, and clients in which they are signed in."""

import httpx
from argon2 import PasswordHasher
from fastapi import FastAPI

from app.classroom.people import people, person_sessions, sign_in_links
from app.classroom.people.people import Person
from app.classroom.people.roles import Role
from app.classroom.store.times import now_ms
from app.web.guards.person_cookies import PERSON_COOKIE
from tests.web.conftest import client_of
from tests.web.kept import services_of

PASSWORD = "correct horse battery"
HASHED = PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash(PASSWORD)
OWN_PAGE = {"sec-fetch-site": "same-origin"}  # as browsers send it with our forms
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


async def add_person(app: FastAPI, name: str, role: Role = Role.INSTRUCTOR) -> Person:
    """Add a person with the password PASSWORD."""
    database = services_of(app).database
    person = await database.write(people.make_person, name, role, now_ms())
    await database.write(people.set_password, person.id, HASHED)
    return person


async def find_person(app: FastAPI, name: str) -> Person:
    person = await services_of(app).database.read(people.find_person, name)
    assert person is not None
    return person


async def make_link(app: FastAPI, person: Person) -> str:
    """Return the address of a link for a person."""
    return f"/en/sign-in/{await services_of(app).database.write(sign_in_links.make_link, person.id, now_ms())}"


async def give_session(app: FastAPI, person: Person, client: httpx.AsyncClient) -> None:
    """Sign a person in, in a client, without a password."""
    token = await services_of(app).database.write(person_sessions.make_session, person.id, FIREFOX, now_ms())
    header = services_of(app).person_cookies.header(token, secure=False)
    client.cookies.set(PERSON_COOKIE, header.split(";")[0].partition("=")[2])


def browser_of(app: FastAPI, address: str = "127.0.0.1") -> httpx.AsyncClient:
    """A client that sends what browsers send with forms of our pages."""
    client = client_of(app, address)
    client.headers.update({**OWN_PAGE, "user-agent": FIREFOX})
    return client


async def sign_in(client: httpx.AsyncClient, name: str, password: str = PASSWORD) -> httpx.Response:
    return await client.post("/en/sign-in", data={"name": name, "password": password})


async def is_signed_in(client: httpx.AsyncClient) -> bool:
    return (await client.get("/en/account")).status_code == 200
