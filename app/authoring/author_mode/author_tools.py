"""The endpoints of author mode. A server has them only while it serves a course to its author.

The course is loaded again when a file changes, and open pages are informed. After a run of a cell, the result is compared with what the
lesson's files declare; the page shows the differences, and the author may record them in the files.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Protocol

import msgspec
import structlog
from fastapi import APIRouter, HTTPException
from fastapi.routing import APIRoute
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.responses import Response
from watchfiles import awatch

from app.authoring.author_mode.complaint_place import Complaint, ComplaintPlace, locate
from app.authoring.author_mode.live_catalogue import LiveCatalogue, Version
from app.authoring.checking.cell_run import CellRun, FileChange, compare_cell
from app.authoring.checking.check import Checker
from app.authoring.checking.shown_toml import RecordError
from app.authoring.last_event import CheckError, wait_for_last
from app.lessons.course.review import find_unrun
from app.lessons.model.model import Cell, Lesson
from app.protocol.limits import Limits
from app.protocol.outcome import Outcome
from app.protocol.run import Lang, Program, RunOrder, RunResult
from app.runner.client import Runner, RunnerError

STEP_MS, DEBOUNCE_MS = 20, 100  # a change is announced if no other follows within a step, and at the latest after the second time

log = structlog.get_logger()


class EndedRun(Protocol):
    """A run that is over, as app.web announces it."""

    @property
    def lesson(self) -> str | None: ...
    @property
    def order(self) -> RunOrder: ...
    @property
    def ending(self) -> str: ...


class Difference(msgspec.Struct, kw_only=True, frozen=True):
    """How a run of a cell differs from what the lesson's files declare.

    - `change` is what recording the run would change in lesson.toml; "" if nothing.
    - `record` is the file of the cell's recorded result, if recording the run would write it; else "".
    - `edited` is true if the run had other code than the lesson's files.
    """

    cell: str
    complaints: list[Complaint]
    change: str
    record: str
    edited: bool


class AuthorState(msgspec.Struct, kw_only=True):
    """What an open page shows. If the page was made from another `generation` of the course, it loads itself again."""

    generation: str
    complaints: list[Complaint]
    elsewhere: int  # complaints about other lessons
    differences: list[Difference]


class AuthorTools:
    """The endpoints. `folder` is the course's folder. No file outside it is ever written. `route_class` says who may use them."""

    def __init__(
        self,
        catalogue: LiveCatalogue,
        folder: Path,
        runner: Runner,
        limits: Limits,
        lesson_factor: float,
        route_class: type[APIRoute] = APIRoute,
    ) -> None:
        self.catalogue = catalogue
        self._folder, self._runner, self._limits, self._factor = folder.resolve(), runner, limits, lesson_factor
        self._checker = Checker(catalogue, runner, limits, lesson_factor)
        self._found: dict[tuple[str, str], tuple[Lesson, Difference]] = {}
        self._changed = asyncio.Event()
        self._work: set[asyncio.Task[None]] = set()
        self.router = APIRouter(prefix="/api/author", include_in_schema=False, lifespan=self._watching, route_class=route_class)
        self.router.add_api_route("/events", self.get_events, methods=["GET"], response_class=EventSourceResponse)
        self.router.add_api_route("/lessons/{chapter}/{lesson}/cells/{cell}/shows", self.record, methods=["POST"])

    @property
    def generation(self) -> str:
        return self.catalogue.generation

    def version(self, path: str, lang: Lang) -> Version | None:
        """Return the version of a lesson that a page in the language `lang` shows."""
        return self.catalogue.version(path, lang)

    async def get_events(self, lesson: str = "") -> AsyncIterator[ServerSentEvent]:
        """GET /api/author/events?lesson=chapter/lesson: send the lesson's state now and after each change (server-sent events)."""
        while True:
            changed = self._changed
            yield ServerSentEvent(event="state", raw_data=msgspec.json.encode(self._state(lesson)).decode())
            await changed.wait()

    async def record(self, chapter: str, lesson: str, cell: str) -> Response:
        """POST /api/author/lessons/{chapter}/{lesson}/cells/{cell}/shows: run the cell's file, and record what differs.

        The answer has the change of lesson.toml. Requests from other sites are refused by app.web.edge.security.
        """
        found = self.catalogue.lesson(f"{chapter}/{lesson}")
        one = found.cell(cell) if found else None
        if found is None or one is None:
            raise HTTPException(404)
        try:
            run = await self._checker.run_cell(found, one)
            change = await asyncio.to_thread(self._write_changes, run)
        except (RecordError, CheckError, RunnerError, OSError) as error:
            return _answer({"error": {"code": "not_recorded", "message": str(error)}}, 409)
        self._found.pop((found.path, one.id), None)
        self._notify_pages()
        return _answer({"change": change})

    def tell(self, ended: EndedRun) -> None:
        """Compare an ended run with the lesson's declarations, in a task, if it ran a lesson's cell. Returns at once."""
        lesson = self.catalogue.lesson(ended.lesson) if ended.lesson else None
        cell = lesson.cell(ended.order.program.source.cell or "") if lesson else None
        if lesson and cell and ended.ending in (*Outcome,) and ended.ending != Outcome.STOPPED:
            task = asyncio.get_running_loop().create_task(self._compare(lesson, cell, ended.order))
            self._work.add(task)
            task.add_done_callback(self._work.discard)

    async def _compare(self, lesson: Lesson, cell: Cell, order: RunOrder) -> None:
        """Run the cell again, and compare the result with what the files declare. The result that the page got was not stored."""
        edited = _texts(order.program) != _texts(self.catalogue.program(lesson, cell.id, cell.source))
        try:
            if edited:
                run = compare_cell(lesson, cell, await wait_for_last(self._runner.run(order), RunResult))
            else:
                run = await self._checker.run_cell(lesson, cell)
        except (RunnerError, CheckError) as error:
            log.warning("not_compared", lesson=lesson.path, cell=cell.id, reason=str(error))
            return
        difference = await asyncio.to_thread(self._describe, run, edited)
        self._found.pop((lesson.path, cell.id), None)
        if difference is not None:
            self._found[lesson.path, cell.id] = (lesson, difference)
        self._notify_pages()

    def _describe(self, run: CellRun, edited: bool) -> Difference | None:
        if run.is_recorded and not run.problems:
            return None
        changes: list[FileChange] = []
        if not edited:
            with contextlib.suppress(RecordError, OSError):
                changes = self._list_changes(run)
        place = ComplaintPlace("cell", run.id)
        complaints = [msgspec.structs.replace(locate(self._folder, run.lesson.path, one), place=place) for one in run.problems]
        record = next((one.file for one in changes if not one.diff), "")
        diffs = "".join(change.diff for change in changes)
        return Difference(cell=run.id, complaints=complaints, change=diffs, record=record, edited=edited)

    def _write_changes(self, run: CellRun) -> str:
        """Write the files that recording the run changes. Return the change of lesson.toml, or "". Raises the errors of `_list_changes`."""
        changes = self._list_changes(run)  # all changes are made first, so that either all are written or none
        for change in changes:
            change.write(self._folder)
        return "".join(change.diff for change in changes)

    def _list_changes(self, run: CellRun) -> list[FileChange]:
        """Return the files that recording the run changes. Raises OSError and RecordError, which also refuses a file outside the course."""
        changes = run.list_changes(self._folder)
        for change in changes:
            if not (self._folder / change.file).resolve().is_relative_to(self._folder):
                raise RecordError(f"{change.file} is not in the course's folder")
        return changes

    def _state(self, lesson: str) -> AuthorState:
        here = [
            one for one in self.catalogue.problems if one.file.startswith(f"{lesson}/") or "/" not in lesson or one.file == "course.toml"
        ]
        loaded = self.catalogue.lesson(lesson)
        unrun = find_unrun(self._folder, [loaded], self._limits, self._factor) if loaded and not here else []
        differences = [one for (path, _), (run, one) in self._found.items() if path == lesson and run == self.catalogue.lesson(path)]
        return AuthorState(
            generation=self.generation,
            complaints=[locate(self._folder, lesson, one) for one in (*here, *unrun)],
            elsewhere=len(self.catalogue.problems) - len(here),
            differences=differences,
        )

    def _notify_pages(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    @contextlib.asynccontextmanager
    async def _watching(self, _: Any) -> AsyncIterator[None]:
        watching = asyncio.create_task(self._watch())
        try:
            yield
        finally:
            for task in (watching, *self._work):
                task.cancel()
            await asyncio.gather(watching, *self._work, return_exceptions=True)

    async def _watch(self) -> None:
        async for _ in awatch(self._folder, step=STEP_MS, debounce=DEBOUNCE_MS):
            try:
                await self.catalogue.reload()
            except Exception:  # a file on which the loader fails must not end the watch: the next change may mend it
                log.exception("course_not_loaded")
                continue
            self._notify_pages()


def _texts(program: Program) -> list[str]:
    """Return the code of every cell in the program, without trailing whitespace: the page's editor omits the last newline."""
    return [source.text.rstrip() for source in (*program.replay, program.source)]


def _answer(body: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(body), status, {"cache-control": "no-store"}, "application/json")
