"""What endpoints are given by FastAPI's dependency injection. Nothing else reaches into the app's state."""

import asyncio
from dataclasses import dataclass, field
from typing import Annotated, Protocol

from fastapi import APIRouter, Depends, Query, Request

from app.classroom.store.database import Database
from app.classroom.store.store_counts import StoreCounts
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Lesson
from app.protocol.run import Lang
from app.runner.client import Runner
from app.settings import Settings
from app.web.guards.additions import Additions
from app.web.guards.rates import Rates
from app.web.guards.sessions import Principal, Sessions
from app.web.http.language import request_lang
from app.web.meters import Meters
from app.web.runs.result_buffers import ResultBuffers
from app.web.runs.run_service import RunEnded, RunService
from app.web.storing.claimed_keys import ClaimedKeys
from app.web.storing.learner_store import LearnerStore
from app.web.storing.stored_submissions import StoredSubmissions

LANG_WORDS = "The language of the answer, `en` or `zh-Hans`; without it, Accept-Language decides."


class ShownVersion(Protocol):
    """Of a lesson in one language: what is shown, since when, in seconds since 1970, and whether its files are not like this any more."""

    @property
    def lesson(self) -> Lesson: ...
    @property
    def since(self) -> float: ...
    @property
    def is_stale(self) -> bool: ...


class AuthorMode(Protocol):
    """What the web app has in author mode: `generation` of the course, which its pages name; a router; and who is told of ended runs.

    `version`: what is to be shown of the lesson of a path; None if it could never be in this language.
    """

    @property
    def generation(self) -> str: ...
    @property
    def router(self) -> APIRouter: ...
    def tell(self, ended: RunEnded) -> None: ...
    def version(self, path: str, lang: Lang) -> ShownVersion | None: ...


@dataclass(frozen=True, kw_only=True)
class Services:
    """All that one app works with. `unconfined`: programs may be run without a sandbox.

    `archive_turn`: held while an archive is made or read, so that it is one at a time. `author`: only in author mode.
    """

    settings: Settings
    catalogue: Catalogue
    runner: Runner
    database: Database
    census: StoreCounts
    runs: RunService
    store: LearnerStore
    additions: Additions
    submissions: StoredSubmissions
    claimed_keys: ClaimedKeys
    sessions: Sessions
    result_buffers: ResultBuffers
    rates: Rates
    meters: Meters
    unconfined: bool
    archive_turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    author: AuthorMode | None = None


def services_of(request: Request) -> Services:
    """For what no endpoint calls, as the page of an error, and for runs, which injection would make dearer."""
    services: Services = request.app.state.services
    return services


async def get_services(request: Request) -> Services:
    return services_of(request)


ServicesDep = Annotated[Services, Depends(get_services)]


async def get_catalogue(services: ServicesDep) -> Catalogue:
    return services.catalogue


async def get_runner(services: ServicesDep) -> Runner:
    return services.runner


async def get_principal(request: Request) -> Principal:
    principal: Principal = request.state.principal
    return principal


async def get_learner(principal: Annotated[Principal, Depends(get_principal)]) -> str:
    """Whose work it is about. Routes that take it are of a kind that asks first; see app.web.api.rated_route."""
    assert principal.learner is not None
    return principal.learner


async def get_lang(request: Request, lang: Annotated[str | None, Query(description=LANG_WORDS)] = None) -> Lang:
    return request_lang(request)


CatalogueDep = Annotated[Catalogue, Depends(get_catalogue)]
RunnerDep = Annotated[Runner, Depends(get_runner)]
PrincipalDep = Annotated[Principal, Depends(get_principal)]
LearnerDep = Annotated[str, Depends(get_learner)]
LangDep = Annotated[Lang, Depends(get_lang)]
