"""Computes the reported figures from samples."""

import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any


def measure_ms(work: Callable[[], Any]) -> float:
    """Return the wall time of one call, in milliseconds."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def summarise(samples_ms: Sequence[float]) -> dict[str, float | int]:
    """Return the median, the 95th percentile, the fastest, the slowest and the number of samples."""
    ordered = sorted(samples_ms)
    return {
        "median_ms": round(statistics.median(ordered), 2),
        "p95_ms": round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 2),
        "min_ms": round(ordered[0], 2),
        "max_ms": round(ordered[-1], 2),
        "runs": len(ordered),
    }


def ratio(numerator: float | None, denominator: float | None) -> float | None:
    return round(numerator / denominator, 3) if numerator is not None and denominator else None


def say(text: str) -> None:
    """Print progress to standard error, because standard output is JSON."""
    print(text, file=sys.stderr, flush=True)
