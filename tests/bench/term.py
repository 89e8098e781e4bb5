"""Measures what a term's work of a class costs: pages, an export, an import and writes of learners with a term's work, and of one without.

The web app is called as uvicorn calls it, without a connection, so that a figure is the server's own time. Nothing is run or graded here.
"""

import asyncio
import json
import os
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import FastAPI

from app.classroom.store.engine import make_engine
from app.classroom.store.schema import schema
from app.lessons.model.model import Course, Lesson
from app.main import create_app
from app.protocol.grading import CheckResult, Verdict
from app.settings import Settings
from app.web.services import Services
from tests.bench.client import UnexpectedAnswer
from tests.bench.figures import say, summarise
from tests.bench.plan import Plan
from tests.bench.server import Server
from tests.bench.term_work import fill_store, make_term_course
from tests.bench.worker import Worker
from tests.web.exercises import make_grading
from tests.web.fake_runner import FakeRunner

MEBIBYTE = 1024 * 1024
RATES = {f"{rate}_per_{whose}": 100_000.0 for rate in ("rate", "burst") for whose in ("learner", "address")}
VERDICT = Verdict(passed=True, checks=[CheckResult(id="runs", passed=True)])
CONTENT = {"GET": "", "PUT": "application/json", "POST": "application/json"}


@dataclass
class Caller:
    """Calls an app like a browser with this cookie. `samples_ms`: how long answers took, by name."""

    app: FastAPI
    cookie: str
    samples_ms: dict[str, list[float]] = field(default_factory=dict)

    async def ask(self, name: str, method: str, path: str, body: bytes = b"", *, packed: bool = False, kind: str | None = None) -> bytes:
        """Return the answer's body. Raises UnexpectedAnswer if the request failed."""
        headers = {"host": "localhost", "cookie": f"learner={self.cookie}", "accept-encoding": "gzip" if packed else "identity"}
        headers |= {"content-type": kind or CONTENT[method], "content-length": str(len(body))}
        path, _, query = path.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http", "path": path,
            "raw_path": path.encode(), "query_string": query.encode(), "root_path": "",
            "client": ("127.0.0.1", 5000), "server": ("localhost", 80),
            "headers": [(key.encode(), value.encode()) for key, value in headers.items()],
        }  # fmt: skip
        messages: list[dict[str, Any]] = []

        sent = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if sent.is_set():
                await asyncio.Event().wait()  # the client does not disconnect
            sent.set()
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            messages.append(message)

        start = time.perf_counter()
        await self.app(scope, receive, send)  # type: ignore[arg-type]
        self.samples_ms.setdefault(name, []).append((time.perf_counter() - start) * 1000)
        answer = b"".join(message.get("body", b"") for message in messages)
        if messages[0]["status"] >= 300:
            raise UnexpectedAnswer(f"{method} {path}: {answer[:300]!r}", messages[0]["status"])
        return answer


async def measure_term(_: Server, __: Worker, plan: Plan) -> dict[str, Any]:
    """Return the server time of each kind of request in milliseconds, the store's size, and the time that filling it takes."""
    with tempfile.TemporaryDirectory(prefix="gradroom-bench-") as folder:
        settings = Settings(state_folder=Path(folder), log_level="warning", **RATES)  # type: ignore[arg-type]
        catalogue = make_term_course()
        app = create_app(settings, FakeRunner(make_grading(VERDICT)), catalogue)
        services: Services = app.state.services
        cookies = [services.sessions.give() for _ in range(plan.learners)]
        found = fill(settings, catalogue.course, [services.sessions.read(cookie) or "" for cookie in cookies])
        async with closing(app):
            say("  requests")
            step = max(1, plan.learners // plan.term_callers)
            callers = [Caller(app, cookie) for cookie in cookies[::step]]
            found["of_a_term"] = await measure_requests(callers, catalogue.course, exports=True)
            newcomers = [Caller(app, services.sessions.give()) for _ in callers]
            found["of_a_newcomer"] = await measure_requests(newcomers, catalogue.course, exports=False)
    return found | {name: found["of_a_term"][name]["median_ms"] for name in ("lesson", "map", "export")}


def fill(settings: Settings, course: Course, learners: Sequence[str]) -> dict[str, Any]:
    """Fill the store, and return its size."""
    engine = make_engine(settings.database, writes=True)
    schema.prepare(engine)
    say(f"  a term's work of {len(learners)} learners")
    seconds = fill_store(engine, course, learners)
    with engine.connect() as connection:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.exec_driver_sql("BEGIN")
    engine.dispose()
    size = sum(path.stat().st_size for path in settings.state_folder.iterdir())
    return {"learners": len(learners), "filled_in_seconds": round(seconds, 1), "mib": round(size / MEBIBYTE)}


@asynccontextmanager
async def closing(app: FastAPI) -> AsyncIterator[None]:
    async with app.router.lifespan_context(app):
        yield


async def measure_requests(callers: Sequence[Caller], course: Course, *, exports: bool) -> dict[str, Any]:
    """Make every request once for each caller, in several lessons."""
    first = Caller(callers[0].app, callers[0].app.state.services.sessions.give())
    for lesson in course.lessons:  # a cell is highlighted once
        await first.ask("lesson", "GET", f"/en/{lesson.path}")
    for number, caller in enumerate(callers):
        for lesson in course.lessons[number % 5 :: 9]:
            await ask_for_lesson(caller, lesson)
        if exports:
            zipped = await caller.ask("export", "GET", "/api/me/export")
            fresh = Caller(caller.app, caller.app.state.services.sessions.give(), caller.samples_ms)
            await fresh.ask("import", "POST", "/api/me/import", zipped, kind="application/zip")
            caller.samples_ms.setdefault("export_kib", []).append(len(zipped) / 1024)
    names = dict.fromkeys(name for caller in callers for name in caller.samples_ms)
    return {name: summarise([sample for caller in callers for sample in caller.samples_ms[name]]) for name in names}


async def ask_for_lesson(caller: Caller, lesson: Lesson) -> None:
    """Make the requests of a browser in a lesson: its page and the map, with and without compression, a saved draft and a submission."""
    for _ in range(2):
        await caller.ask("lesson", "GET", f"/en/{lesson.path}")
        await caller.ask("map", "GET", "/en/")
    await caller.ask("lesson_gzip", "GET", f"/en/{lesson.path}", packed=True)
    await caller.ask("map_gzip", "GET", "/en/", packed=True)
    place = f"/api/me/drafts/{lesson.path}/{lesson.cells[0].id}"
    draft = json.loads(await caller.ask("get_draft", "GET", place))["draft"]
    version = draft["version"] if draft else 0
    body = {"source": f"# {os.urandom(8).hex()}\n{lesson.cells[0].source}", "version": version}
    await caller.ask("put_draft", "PUT", place, json.dumps(body).encode())
    exercise = lesson.exercises[0]
    submission = json.dumps({"source": f"# {os.urandom(8).hex()}\n{exercise.solution}"}).encode()
    address = f"/api/lessons/{lesson.path}/exercises/{exercise.id}/submissions"
    answer = json.loads(await caller.ask("submission", "POST", address, submission))
    if answer["receipt"] is None:
        raise UnexpectedAnswer(f"no receipt: {answer['not_kept']}")
    nobody = Caller(caller.app, "", caller.samples_ms)
    await nobody.ask("submission_not_kept", "POST", address, submission)
