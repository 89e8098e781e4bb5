"""How often and how long everything is measured."""

import os
from dataclasses import dataclass

CORES = len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Plan:
    runs: int  # how many of each of a, b and c, interleaved
    fresh_runs: int
    page_loads: int
    rounds: int  # how often throughput is measured, e in turn with the clients
    round_seconds: float
    cost_rounds: int  # how often processor time is measured, e in turn with as many clients as cores
    bursts: int  # how often a class runs at once
    grades: int  # how often each exercise is graded
    learners: int  # how many learners get an invented term's work
    term_callers: int  # how many of these learners send requests
    clients: tuple[int, ...] = (1, 4, 16)


FULL = Plan(
    runs=60, fresh_runs=5, page_loads=50, rounds=3, round_seconds=6.0, cost_rounds=3, bursts=5, grades=7, learners=300, term_callers=20
)
QUICK = Plan(
    runs=10, fresh_runs=2, page_loads=10, rounds=1, round_seconds=2.0, cost_rounds=1, bursts=1, grades=2, learners=10, term_callers=5
)
WHOLE_SECONDS = 1200  # more than a full benchmark takes on a slow machine
WARM_UP_RUNS = 10
