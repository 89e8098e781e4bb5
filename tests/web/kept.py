"""What the tests of stored work share: a learner with a cookie, the learner's name in the store, and stores that fail."""

import asyncio
import json
import re
import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI

from app.settings import Settings
from app.web.services import Services

T = TypeVar("T")
LESSON = "one/first"
DRAFTS = f"/api/me/drafts/{LESSON}"


def services_of(app: FastAPI) -> Services:
    services: Services = app.state.services
    return services


def learner_of(app: FastAPI, client: httpx.AsyncClient) -> str:
    """Return the learner in the client's cookie."""
    name = services_of(app).sessions.read(client.cookies["learner"])
    assert name is not None
    return name


async def look(app: FastAPI, read: Callable[..., T], **told: Any) -> T:
    """Return the result of `read`, after all enqueued changes of the learner are made."""
    await asyncio.wrap_future(services_of(app).database.enqueue_in_order(told["learner"], lambda _: None))
    return await services_of(app).database.read(partial(read, **told))


async def kept_of(client: httpx.AsyncClient, path: str = f"/en/{LESSON}") -> Any:
    """Return `kept` in the data of a page."""
    page = (await client.get(path)).text
    (data,) = re.findall(r'<script type="application/json" id="page-data">(.*?)</script>', page, re.DOTALL)
    return json.loads(data)["kept"]


def break_store(settings: Settings) -> None:
    """Overwrite the database's file, so that it is no database any more."""
    settings.state_folder.mkdir(mode=0o700, exist_ok=True)
    (settings.state_folder / "classroom.sqlite3").write_bytes(b"no database " * 1000)


class LockedStore:
    """Locks the database for writing in this context, as another program could."""

    def __init__(self, settings: Settings) -> None:
        self._connection = sqlite3.connect(settings.state_folder / "classroom.sqlite3", isolation_level=None, check_same_thread=False)

    async def __aenter__(self) -> None:
        await asyncio.to_thread(self._connection.execute, "BEGIN IMMEDIATE")

    async def __aexit__(self, *_: object) -> None:
        self._connection.close()
