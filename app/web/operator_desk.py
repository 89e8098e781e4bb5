"""The state of the server at one moment, for operators. It uses figures that /metrics, /api/sandbox and the store already have."""

import platform
from collections import Counter
from importlib.metadata import version

import msgspec
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Connection, func, select

from app.classroom.people.person_sessions import has_ended
from app.classroom.store.database import Database
from app.classroom.store.faults.store_faults import StoreAtLimit, StoreFault
from app.classroom.store.schema.schema import HEAD
from app.classroom.store.schema.tables import PersonRow, PersonSessionRow
from app.classroom.store.store_counts import StoreFigures
from app.classroom.store.times import format_time, now_ms
from app.classroom.work.retention import RetentionFigures, count_retained
from app.grading.exercise_version import hash_grader
from app.protocol.sandbox import Layer, NodeStatus, RunnerStatus, RuntimeState
from app.runner.client import RunnerError
from app.web.services import Services

SOON_DAYS = 30
DATABASE_KINDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
Counts = dict[str, int]


class DeskHealth(msgspec.Struct, kw_only=True):
    """Whether programs are run and confined. `reason` says why not. `reached` is false if the runner cannot be reached.

    `not_kept` is the reason why learners' work is not stored at present, or null.
    """

    reached: bool
    ready: bool
    reason: str | None
    confined: bool
    setting: str
    layers: list[Layer]
    degraded: list[str]
    not_kept: str | None


class DeskStore(msgspec.Struct, kw_only=True):
    """The store. Sizes are in bytes. `figures` is null if the store cannot be read, `limit_bytes` if there is no limit.

    `faults` and `refusals` are counted by reason since `since` of DeskRuns. `last_fault` is null once a commit has succeeded.
    """

    kind: str
    revision: str
    figures: StoreFigures | None
    used_bytes: int
    limit_bytes: int | None
    addresses_at_limit: int
    last_fault: str | None
    faults: Counts
    refusals: Counts
    commits: int
    commit_ms: float | None


class DeskRuns(msgspec.Struct, kw_only=True):
    """Runs by outcome and submissions by verdict since the runner started; how many runs execute, are paused, and wait.

    `failures`, `instrument_faults` and `restarts` (of zygotes) are faults of ours. `failed_requests` are those of this web process since
    `since`.
    """

    since: str
    outcomes: Counts
    verdicts: Counts
    active: int
    paused: int
    waiting: int
    refusals: Counts
    spares: Counts
    failures: Counts
    instrument_faults: Counts
    restarts: Counts
    failed_requests: int


class DeskVersions(msgspec.Struct, kw_only=True):
    """Versions. `runtimes` has the state of each installed runtime, and `frameworks` the versions that are known of them.

    `grader` is the hash of the grader, a part of every exercise's version.
    """

    gradroom: str
    python: str
    frameworks: dict[str, str]
    runtimes: dict[str, RuntimeState]
    grader: str


class DeskPeople(msgspec.Struct, kw_only=True):
    """How many people can sign in, and how many browsers are signed in."""

    people: int
    sessions: int


class DeskAnswer(msgspec.Struct, kw_only=True):
    """The state of the server at the time `at`. `people` and `retention` are null if the store cannot be read.

    `nodes` is empty if programs run on one machine.
    """

    at: str
    health: DeskHealth
    store: DeskStore
    runs: DeskRuns
    versions: DeskVersions
    people: DeskPeople | None
    retention: RetentionFigures | None
    nodes: list[NodeStatus] = []


async def gather_desk(services: Services) -> DeskAnswer:
    """Return the present state. What the runner or the store cannot answer is left out."""
    try:
        status: RunnerStatus | None = await services.runner.status()
        metrics = await services.runner.metrics()
    except RunnerError:
        status, metrics = None, ""
    try:
        rest = await services.database.read(read_rest, services.settings.retention_days)
    except StoreFault:
        rest = None, None
    return DeskAnswer(
        at=format_time(now_ms()),
        health=describe_health(status, services.database),
        store=describe_store(services, await services.census.read()),
        runs=describe_runs(services, metrics),
        versions=describe_versions(status),
        people=rest[0],
        retention=rest[1],
        nodes=status.nodes if status else [],
    )


def read_rest(connection: Connection, retention_days: int) -> tuple[DeskPeople, RetentionFigures] | tuple[None, None]:
    """Return how many people there are and what retention will delete, which no metric has."""
    at_ms = now_ms()
    people = connection.execute(select(func.count()).select_from(PersonRow)).scalar_one()
    sessions = connection.execute(select(func.count()).select_from(PersonSessionRow).where(~has_ended(at_ms))).scalar_one()
    return DeskPeople(people=people, sessions=sessions), count_retained(connection, retention_days, SOON_DAYS, at_ms)


def describe_health(status: RunnerStatus | None, database: Database) -> DeskHealth:
    sandbox = status.sandbox if status else None
    return DeskHealth(
        reached=status is not None,
        ready=status is not None and status.ready,
        reason=status.reason if status else None,
        confined=sandbox is not None and sandbox.safe,
        setting=sandbox.setting if sandbox else "unknown",
        layers=sandbox.layers if sandbox else [],
        degraded=sandbox.degraded if sandbox else [],
        not_kept=find_reason(database),
    )


def find_reason(database: Database) -> str | None:
    """Return the reason why the store stores nothing at present, or None if it stores."""
    return StoreAtLimit.reason if database.room.at_limit else database.health.fault


def describe_store(services: Services, figures: StoreFigures | None) -> DeskStore:
    database = services.database
    health, room = database.health, database.room
    kind = database.url.get_backend_name()
    return DeskStore(
        kind=DATABASE_KINDS.get(kind, kind),
        revision=HEAD,
        figures=figures,
        used_bytes=room.used_bytes,
        limit_bytes=room.limit_bytes,
        addresses_at_limit=len(services.additions.addresses),
        last_fault=health.fault,
        faults=dict(health.faults.copy()),
        refusals=dict(services.additions.refused.copy()),
        commits=health.commits,
        commit_ms=round(1000 * health.commit_seconds / health.commits, 1) if health.commits else None,
    )


def describe_runs(services: Services, metrics: str) -> DeskRuns:
    """Return the figures of runs, read from the runner's `metrics`, a text that is empty if the runner cannot be reached."""
    figures = {family.name: family.samples for family in text_string_to_metric_families(metrics)}

    def count(name: str, label: str) -> Counts:
        """Sum a metric up by one of its labels."""
        counts: Counter[str] = Counter()
        for sample in figures.get(f"gradroom_{name}", ()):
            if sample.value and not sample.name.endswith("_created"):
                counts[sample.labels[label]] += int(sample.value)
        return dict(counts.most_common())

    def read(name: str) -> int:
        return int(sum(sample.value for sample in figures.get(f"gradroom_{name}", ())))

    return DeskRuns(
        since=format_time(services.meters.since_ms),
        outcomes=count("runs", "outcome"),
        verdicts=count("verdicts", "passed"),
        active=read("runs_active"),
        paused=read("runs_paused"),
        waiting=read("queue_depth"),
        refusals=count("run_refusals", "reason"),
        spares=count("spares", "runtime"),
        failures=count("run_failures", "code"),
        instrument_faults=count("instrument_faults", "instrument"),
        restarts=count("zygote_restarts", "runtime"),
        failed_requests=services.meters.failures,
    )


def describe_versions(status: RunnerStatus | None) -> DeskVersions:
    runtimes = [one for one in status.runtimes if one.installed] if status else []
    return DeskVersions(
        gradroom=version("gradroom"),
        python=platform.python_version(),
        frameworks={name: found for one in runtimes for name, found in one.versions.items()} or (status.versions if status else {}),
        runtimes={one.name: one.state for one in runtimes},
        grader=hash_grader(),
    )
