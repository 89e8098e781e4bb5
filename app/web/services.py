"""The services of an app, and the dependencies by which FastAPI gives them to endpoints. Only this module reads the app's state."""

import asyncio
from dataclasses import dataclass, field
from typing import Annotated, Protocol

from fastapi import APIRouter, Depends, Query, Request

from app.classroom.classes.memberships import find_policy
from app.classroom.people.people import Person
from app.classroom.store.database import Database
from app.classroom.store.notices import Notices
from app.classroom.store.store_counts import StoreCounts
from app.grading.solution_policy import SolutionPolicy
from app.lessons.course.catalogue import Catalogue
from app.lessons.model.model import Lesson
from app.protocol.run import Lang
from app.runner.client import Runner
from app.settings import Settings
from app.web.classes.board_feed import BoardFeeds
from app.web.classes.learner_streams import LearnerStreams
from app.web.guards.additions import Additions
from app.web.guards.person_cookies import PersonCookies
from app.web.guards.principal import Principal
from app.web.guards.rates import Rates
from app.web.guards.search_turns import SearchTurns
from app.web.guards.sessions import Sessions
from app.web.http.language import request_lang
from app.web.meters import Meters
from app.web.peers import Peers
from app.web.runs.result_buffers import ResultBuffers
from app.web.runs.run_service import RunEnded, RunService
from app.web.storing.claimed_keys import KeyClaims
from app.web.storing.learner_store import LearnerStore
from app.web.storing.sign_ins import SignIns
from app.web.storing.stored_submissions import StoredSubmissions

LANG_WORDS = "The language of the answer, `en` or `zh-Hans`; without it, Accept-Language decides."


class ShownVersion(Protocol):
    """The version of a lesson that author mode shows in one language.

    `since` is the time when it was loaded, in seconds since 1970. `is_stale` says that the lesson's files were changed after that, and that
    the changed files cannot be loaded.
    """

    @property
    def lesson(self) -> Lesson: ...
    @property
    def since(self) -> float: ...
    @property
    def is_stale(self) -> bool: ...


class AuthorMode(Protocol):
    """What author mode adds to the web app: a router, a subscriber to the ends of runs (`tell`), and versions of lessons.

    `generation` names the version of the course that a page shows. `version` returns the version of a lesson to show, or None if the lesson
    was never valid in this language.
    """

    @property
    def generation(self) -> str: ...
    @property
    def router(self) -> APIRouter: ...
    def tell(self, ended: RunEnded) -> None: ...
    def version(self, path: str, lang: Lang) -> ShownVersion | None: ...


@dataclass(frozen=True, kw_only=True)
class Services:
    """Everything that the endpoints of an app use. `unconfined` says that programs may run without a sandbox.

    `archive_turn` is locked while an archive is made or read. `author` is set in author mode only, and `peers` if there are several web
    processes.
    """

    settings: Settings
    catalogue: Catalogue
    search: SearchTurns
    runner: Runner
    database: Database
    census: StoreCounts
    runs: RunService
    store: LearnerStore
    additions: Additions
    solutions: SolutionPolicy
    submissions: StoredSubmissions
    notices: Notices
    boards: BoardFeeds
    learner_streams: LearnerStreams
    claimed_keys: KeyClaims
    sessions: Sessions
    person_cookies: PersonCookies
    sign_ins: SignIns
    result_buffers: ResultBuffers
    rates: Rates
    meters: Meters
    unconfined: bool
    archive_turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    author: AuthorMode | None = None
    peers: Peers | None = None

    async def read_policy(self, principal: Principal, lesson: str) -> SolutionPolicy:
        """Return when the solutions of a lesson are shown: the policy of the learner's class, or the server's. Raises StoreFault."""
        if principal.learner is None:
            return self.solutions
        return await self.database.read(find_policy, principal.learner, lesson, self.solutions)


def services_of(request: Request) -> Services:
    """Return the services without injection, which costs time and works only where FastAPI calls the function."""
    services: Services = request.app.state.services
    return services


async def get_services(request: Request) -> Services:
    return services_of(request)


ServicesDep = Annotated[Services, Depends(get_services)]


async def get_catalogue(services: ServicesDep) -> Catalogue:
    return services.catalogue


async def get_principal(request: Request) -> Principal:
    principal: Principal = request.state.principal
    return principal


async def get_person(principal: Annotated[Principal, Depends(get_principal)]) -> Person:
    """Return the person who is signed in. Only routes with the rules SIGNED_IN, TEACHING and INSTRUCTOR may use this."""
    assert principal.person is not None
    return principal.person


async def get_learner(principal: Annotated[Principal, Depends(get_principal)]) -> str:
    """Return the learner of the request. Only routes with the rule OWN_WORK may use this."""
    assert principal.learner is not None
    return principal.learner


async def get_lang(request: Request, lang: Annotated[str | None, Query(description=LANG_WORDS)] = None) -> Lang:
    return request_lang(request)


CatalogueDep = Annotated[Catalogue, Depends(get_catalogue)]
PrincipalDep = Annotated[Principal, Depends(get_principal)]
PersonDep = Annotated[Person, Depends(get_person)]
LearnerDep = Annotated[str, Depends(get_learner)]
LangDep = Annotated[Lang, Depends(get_lang)]
