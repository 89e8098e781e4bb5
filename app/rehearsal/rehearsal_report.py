"""What a rehearsal measured, as one record: what `gradroom loadtest --json` prints."""

from collections.abc import Sequence

import msgspec

from app.rehearsal.observations import Observations


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """A column of waits, in seconds. Without any, all are null but the count."""

    count: int
    p50: float | None = None
    p95: float | None = None
    max: float | None = None


class ClientLoad(msgspec.Struct, frozen=True, kw_only=True):
    """What this client did to its own figures. `cores`: processor cores used, on average; `late_seconds`: how late its clock was, p95."""

    cores: float
    late_seconds: float
    same_machine: bool


class RehearsalReport(msgspec.Struct, frozen=True, kw_only=True):
    """`seconds` is how long it was, `planned_seconds` how long it should have been; counts are by what was refused or went wrong."""

    server: str
    learners: int
    planned_seconds: float
    seconds: float
    seed: int
    interrupted: bool
    runs: int
    unfinished: int
    waits: dict[str, Wait]
    wave_waits: dict[str, Wait]
    queued: Wait
    run: Wait
    refusals: dict[str, int]
    faults: dict[str, int]
    mismatches: dict[str, int]
    client: ClientLoad


def summarise_waits(samples: Sequence[float]) -> Wait:
    """The nearest-rank percentiles."""
    if not samples:
        return Wait(count=0)
    ranked = sorted(samples)
    p50, p95 = (ranked[max(0, -(-len(ranked) * percent // 100) - 1)] for percent in (50, 95))
    return Wait(count=len(ranked), p50=round(p50, 3), p95=round(p95, 3), max=round(ranked[-1], 3))


def make_report(
    seen: Observations,
    client: ClientLoad,
    *,
    server: str,
    learners: int,
    planned_seconds: float,
    seconds: float,
    seed: int,
    interrupted: bool,
) -> RehearsalReport:
    """The record. A run that is `unfinished` had no result when the rehearsal ended; after an interruption that is no fault."""
    return RehearsalReport(
        server=server,
        learners=learners,
        planned_seconds=planned_seconds,
        seconds=round(seconds, 1),
        seed=seed,
        interrupted=interrupted,
        runs=len(seen.run_seconds),
        unfinished=seen.waiting,
        waits={name: summarise_waits(samples) for name, samples in seen.waits.items()},
        wave_waits={name: summarise_waits(samples) for name, samples in seen.wave_waits.items()},
        queued=summarise_waits(seen.queued_seconds),
        run=summarise_waits(seen.run_seconds),
        refusals=dict(seen.refusals.most_common()),
        faults=dict(seen.faults.most_common()),
        mismatches=dict(seen.mismatches.most_common()),
        client=client,
    )
