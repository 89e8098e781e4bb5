"""The classes of the sender of a page's request. They are read before the page is made, because every page's header names them."""

from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fastapi import Request
from sqlalchemy import Connection
from starlette.responses import Response

from app.classroom.classes.class_lessons import ClassLesson, list_lessons
from app.classroom.classes.memberships import Membership, list_memberships
from app.classroom.store.faults.store_faults import StoreFault
from app.classroom.store.stored_work_types import CourseWork
from app.classroom.store.times import now_ms
from app.lessons.course.catalogue import Catalogue
from app.protocol.run import Lang
from app.web.guards.access import GuardedRoute
from app.web.services import services_of
from app.web.views.class_view import ClosedLesson, OwnClassView, find_closed, view_class


@dataclass(frozen=True, kw_only=True)
class OwnClasses:
    """The classes of a learner, without archived ones."""

    memberships: tuple[Membership, ...] = ()

    @property
    def unread(self) -> int:
        """The number of notes that the learner has not read."""
        return sum(one.unread for one in self.memberships)

    def find(self, class_id: int) -> Membership | None:
        return next((one for one in self.memberships if one.class_id == class_id), None)


class PageRoute(GuardedRoute):
    """The route of a page. It reads the classes of the sender before the page is made."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_page(request: Request) -> Response:
            await read_own_classes(request)
            return await handle(request)

        return handle_page


def own_classes_of(request: Request) -> OwnClasses:
    """Return the classes of the sender. There are none on a page without a PageRoute, such as an error page."""
    return getattr(request.state, "own_classes", OwnClasses())


async def read_own_classes(request: Request, learner: str | None = None) -> OwnClasses:
    """Read and return the classes of `learner`, by default of the sender, for this request. There are none if the store cannot be read."""
    learner = learner or request.state.principal.learner
    found = OwnClasses()
    if learner is not None:
        with suppress(StoreFault):  # the page works without its classes
            memberships = await services_of(request).database.read(list_memberships, learner)
            found = OwnClasses(memberships=tuple(one for one in memberships if one.archived_ms is None))
    request.state.own_classes = found
    return found


async def view_own_classes(request: Request, catalogue: Catalogue, lang: Lang, work: CourseWork | None) -> tuple[OwnClassView, ...]:
    """Return the classes of the sender with their lessons. If the store cannot be read, there are none."""
    memberships = own_classes_of(request).memberships
    lessons = await _read_lessons(request)
    return tuple(view_class(catalogue, one, lessons.get(one.class_id, ()), work, lang, now_ms()) for one in memberships)


async def find_closed_lesson(request: Request, path: str) -> ClosedLesson | None:
    """Return when a lesson opens. Return None if a class of the sender has it open, or if no class has it."""
    return find_closed(path, own_classes_of(request).memberships, await _read_lessons(request), now_ms())


async def describe_classes(request: Request, path: str) -> list[dict[str, Any]]:
    """Return the classes in which the sender can raise a hand in a lesson: those that have the lesson, or all if none has."""
    memberships, lessons = own_classes_of(request).memberships, await _read_lessons(request)
    having = [one for one in memberships if any(lesson.lesson == path for lesson in lessons.get(one.class_id, ()))]
    return [{"id": one.class_id, "name": one.class_name} for one in having or memberships]


async def _read_lessons(request: Request) -> dict[int, list[ClassLesson]]:
    """Return the lessons of the sender's classes by class. They are read once for a request."""
    if not hasattr(request.state, "class_lessons"):
        request.state.class_lessons = {}
        if memberships := own_classes_of(request).memberships:
            with suppress(StoreFault):
                request.state.class_lessons = await services_of(request).database.read(_list_lessons, [one.class_id for one in memberships])
    found: dict[int, list[ClassLesson]] = request.state.class_lessons
    return found


def _list_lessons(connection: Connection, class_ids: Sequence[int]) -> dict[int, list[ClassLesson]]:
    return {class_id: list(list_lessons(connection, class_id)) for class_id in class_ids}
