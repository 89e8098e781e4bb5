"""What the simulated learners saw, and the report about it, which `gradroom loadtest --json` prints."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

PAGE, FIRST_EVENT, RESULT = "page", "first_event", "result"
SAVED, PREDICTED, GRADED = "saved", "predicted", "graded"
JOINED, HAND, BOARD_PAGE = "joined", "hand", "board_page"  # in a class
BOARD_ATTEMPT: Final = "submission_on_board"  # from the answer to a learner to the row of the board
BOARD_HAND: Final = "hand_on_board"
CLASS_WAITS, BOARD_WAITS = (JOINED, HAND), (BOARD_PAGE, BOARD_ATTEMPT, BOARD_HAND)


@dataclass
class Observations:
    """What all learners together saw. A wait lasts from the click to the answer, in seconds, with all refusals and pauses between."""

    waits: dict[str, list[float]] = field(
        default_factory=lambda: {name: [] for name in (PAGE, FIRST_EVENT, RESULT, SAVED, PREDICTED, GRADED)}
    )
    wave_waits: dict[str, list[float]] = field(default_factory=lambda: {FIRST_EVENT: [], RESULT: [], GRADED: []})
    queued_seconds: list[float] = field(default_factory=list)
    run_seconds: list[float] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    mismatches: Counter[str] = field(default_factory=Counter)
    pressed: int = 0
    ended: int = 0

    @property
    def waiting(self) -> int:
        """Return the number of runs, submissions included, that have no result yet."""
        return self.pressed - self.ended


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """Percentiles of a list of waits, in seconds. For an empty list they are null."""

    count: int
    p50: float | None = None
    p95: float | None = None
    max: float | None = None


class ClientLoad(msgspec.Struct, frozen=True, kw_only=True):
    """How busy the load test's process was. `cores` is how many it used on average. `late_seconds` is how late it woke up (p95)."""

    cores: float
    late_seconds: float
    same_machine: bool


class LoadtestReport(msgspec.Struct, frozen=True, kw_only=True):
    """The report. `seconds` is the actual duration. `refusals`, `faults` and `mismatches` map descriptions to counts."""

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
    """Return the nearest-rank percentiles of `samples`, in seconds."""
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
) -> LoadtestReport:
    """Return the report. Its `unfinished` counts runs without a result, which are a fault unless the load test was `interrupted`."""
    return LoadtestReport(
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
