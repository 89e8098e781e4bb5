"""Puts the web app together: says which module answers which address, and what every request passes through."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import structlog
from fastapi import FastAPI

from app.classroom.classes.class_notices import LEARNER_NOTICE
from app.classroom.people import audit
from app.classroom.people.passwords import Passwords
from app.classroom.store.database import Database
from app.classroom.store.notices import Notices, prune_notices
from app.classroom.store.store_counts import StoreCounts
from app.classroom.store.store_room import share_of_disk
from app.classroom.work.forgotten_learners import prune_forgotten
from app.classroom.work.retention import delete_regularly
from app.grading.solution_policy import parse_policy
from app.lessons.course.catalogue import Catalogue, load_courses
from app.runner.client import Runner
from app.runner.socket_runner import SocketRunner
from app.search.search import Search
from app.setting_groups.database_address import DatabaseUrlError
from app.settings import PREFIX, Settings, SettingsError
from app.web.api import instruments, lessons, marks, openapi, operations, predict, runs, search, submissions, traces
from app.web.api.classes import board, class_events, class_members, own_hand, own_notes
from app.web.api.me import archive, attempts, drafts, learner, work
from app.web.api.openapi import DescribedApi
from app.web.classes.board_feed import BoardFeeds
from app.web.classes.learner_streams import LearnerStreams
from app.web.edge.compression import Compression
from app.web.edge.error_answers import add_error_handlers
from app.web.edge.request_log import AccessMiddleware, FaultMiddleware, log_run
from app.web.edge.security import SecurityMiddleware
from app.web.guards.access import ANYONE, GuardedApp, check_rules
from app.web.guards.additions import Additions
from app.web.guards.address_leases import AddressLeases
from app.web.guards.buckets import Buckets, Rate
from app.web.guards.person_cookies import PersonCookies
from app.web.guards.rates import Rates
from app.web.guards.search_turns import SearchTurns
from app.web.guards.sessions import SessionMiddleware, Sessions, load_secret
from app.web.http.static import StaticFiles
from app.web.meters import Meters
from app.web.pages import home, playground, redirects, sitemap
from app.web.pages.course import course_map, lesson
from app.web.pages.joining import join, own_class, resume
from app.web.pages.own_work import my_work
from app.web.pages.people import account, operator, sign_in
from app.web.pages.reference import reference
from app.web.pages.reference import search as search_page
from app.web.pages.teaching import (
    board_pages,
    class_code,
    class_lessons,
    class_member,
    class_people,
    class_points,
    class_settings,
    my_classes,
    points_cell,
    projector,
)
from app.web.peers import Peers
from app.web.runs.result_buffers import CAPS, ResultBuffers
from app.web.runs.run_service import RunService
from app.web.services import AuthorMode, Services
from app.web.storing.claimed_keys import ClaimedKeys, KeyClaims
from app.web.storing.learner_store import LearnerStore
from app.web.storing.sign_ins import SignIns
from app.web.storing.stored_submissions import StoredSubmissions

if TYPE_CHECKING:
    from app.classroom.store.postgres.postgres_session import PostgresSession

log = structlog.get_logger()

OF_LEARNER = (learner, archive, attempts, drafts, work, class_events, own_hand, own_notes)
WITH_FORMS_OF_TEACHER = (my_classes, class_lessons, class_people, class_member, class_code, class_settings, points_cell)
OF_TEACHER = (*WITH_FORMS_OF_TEACHER, class_points, board_pages, projector)


def create_app(
    settings: Settings,
    runner: Runner | None = None,
    catalogue: Catalogue | None = None,
    *,
    unconfined: bool = False,
    author: AuthorMode | None = None,
    peers: Peers | None = None,
) -> FastAPI:
    """Return the web app. `runner` and `catalogue` replace those that the settings name.

    `unconfined` lets programs run without a sandbox, and every page says so. It is no setting, because a forgotten setting would stay on.
    `author` is given in author mode only. `peers` are the other web processes of the same server.
    """
    prune_audit = partial(audit.prune, days=settings.retention_days)
    services = make_services(settings, runner or open_runner(settings), catalogue, unconfined, author, peers)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        services.database.scrub()  # removes what was deleted just before web was killed
        deleting = asyncio.create_task(
            delete_regularly(services.database, settings.retention_days, prune_notices, prune_forgotten, prune_audit)
        )
        listening = asyncio.create_task(open_notices(services))
        preparing = asyncio.create_task(services.search.prepare())  # requests need not wait for the index
        yield
        for task in (deleting, listening):
            task.cancel()
        await services.notices.close()
        await preparing
        services.search.close()
        services.sign_ins.close()
        await services.runner.close()
        await services.database.close()

    app = DescribedApi(lifespan)
    app.state.services = services
    # an address is compared with the routes in this order; for the last ones that takes a tenth of a page's time
    for module in (
        runs,
        traces,
        marks,
        home,
        course_map,
        playground,
        my_work,
        operator,
        reference,
        search_page,
        sign_in,
        account,
        *OF_TEACHER,
        join,
        resume,
        own_class,
        lesson,  # after the other pages, whose addresses would be those of chapters and lessons, too
        instruments,
        lessons,
        search,
        submissions,
        predict,
        *OF_LEARNER,
        board,
        class_members,
        operations,
        openapi,
        sitemap,
        redirects,
    ):
        app.include_router(module.router)
    for module in (sign_in, account, join, resume, own_class, *WITH_FORMS_OF_TEACHER):
        app.include_router(module.forms)
    if author:
        app.include_router(author.router)
    app.mount("/static", GuardedApp(StaticFiles(settings.static_folder), ANYONE))
    check_rules(app.routes)
    add_error_handlers(app)

    app.add_middleware(FaultMiddleware)  # the innermost
    cookies = Rate(settings.newcomer_rate_per_address, settings.newcomer_burst_per_address)
    app.add_middleware(
        SessionMiddleware, sessions=services.sessions, people=services.person_cookies, token=settings.operator_token, rate=cookies
    )
    app.add_middleware(Compression)
    app.add_middleware(SecurityMiddleware, settings=settings)
    app.add_middleware(AccessMiddleware, meters=services.meters)  # the outermost
    return app


def open_runner(settings: Settings) -> Runner:
    """Return the client of the runner on this machine, or of those on several."""
    if not settings.entries or settings.runner_token is None:
        return SocketRunner(settings.socket)
    from app.runner.cluster.ray_runner import RayRunner  # only then, because one machine pays nothing for others

    return RayRunner(settings.entries, settings.runner_token.get_secret_value())


async def open_notices(services: Services) -> None:
    """Begin to receive the notices of other web processes, in the background, because the database may not answer."""
    await services.notices.open()
    await services.store.load_forgotten()


def make_services(
    settings: Settings, runner: Runner, catalogue: Catalogue | None, unconfined: bool, author: AuthorMode | None, peers: Peers | None
) -> Services:
    catalogue = catalogue or open_catalogue([settings.lessons_folder, *settings.course_folders])
    meters = Meters()
    database = open_database(settings)
    secret = load_secret(settings)
    sessions, person_cookies = Sessions(secret), PersonCookies(database, secret)
    buckets = partial(AddressLeases, database) if database.is_postgres else Buckets
    additions = Additions(database.room, settings.added_bytes_per_address, buckets)
    session, claimed_keys = open_session(database)
    notices = Notices(database, session)
    store = LearnerStore(database, sessions, additions, notices)
    subscribers = (log_run, meters.count_run, *([author.tell] if author else []))
    return Services(
        settings=settings,
        catalogue=catalogue,
        search=SearchTurns(Search(catalogue)),
        runner=runner,
        database=database,
        census=StoreCounts(database),
        runs=RunService(runner, catalogue, settings, subscribers, unconfined=unconfined),
        store=store,
        additions=additions,
        solutions=parse_policy("always" if author else settings.solutions),
        submissions=StoredSubmissions(database, store, settings.kept_bytes_per_learner),
        notices=notices,
        boards=BoardFeeds(database, notices),
        learner_streams=LearnerStreams(notices, LEARNER_NOTICE, settings.learner_streams, settings.keep_alive_seconds),
        claimed_keys=claimed_keys,
        sessions=sessions,
        person_cookies=person_cookies,
        sign_ins=SignIns(database, person_cookies, Passwords()),
        result_buffers=ResultBuffers(CAPS),
        rates=Rates(settings),
        meters=meters,
        unconfined=unconfined,
        author=author,
        peers=peers,
    )


def open_database(settings: Settings) -> Database:
    try:
        return Database(settings.database, settings.store_bytes or share_of_disk(settings.database))
    except DatabaseUrlError as error:
        raise SettingsError(f"{PREFIX}DATABASE_URL: {error}") from None


def open_session(database: Database) -> "tuple[PostgresSession | None, KeyClaims]":
    """Return the connection by which web processes hear of each other, and claim keys. SQLite, which has one web process, has none."""
    if not database.is_postgres:
        return None, ClaimedKeys()
    from app.classroom.store.postgres.postgres_session import PostgresSession  # needs the driver, which is an extra
    from app.web.storing.shared_keys import SharedKeys  # needs the driver, too

    session = PostgresSession(database.url)
    return session, SharedKeys(session)


def open_catalogue(folders: Sequence[Path]) -> Catalogue:
    """Load the courses of all folders. A broken lesson is logged and left out."""
    catalogue = load_courses(folders)
    for problem in catalogue.problems:
        log.error("lesson_problem", file=problem.file, line=problem.line, problem=problem.message)
    return catalogue
