"""The runner's metrics: runs by outcome, their durations, the queue, and the zygotes that failed or were replaced."""

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.run import RunResult
from app.runner.zygotes.pool import Pool

_SECONDS = (0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60)
_INSTRUMENTS = {facts.name for instruments in INSTRUMENTS.values() for facts in instruments}


class Metrics:
    """Counters and gauges in a registry of their own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._runs = Counter("gradroom_runs", "Runs by outcome", ["outcome", "runtime"], registry=self._registry)
        self._background = Counter("gradroom_background_runs", "Second runs by outcome", ["outcome"], registry=self._registry)
        self.failures = Counter("gradroom_run_failures", "Runs that failed through our fault", ["code"], registry=self._registry)
        self.verdicts = Counter("gradroom_verdicts", "Submissions by verdict", ["passed"], registry=self._registry)
        self.refusals = Counter("gradroom_run_refusals", "Runs refused by a queue cap", ["reason"], registry=self._registry)
        self._faults = Counter("gradroom_instrument_faults", "What instruments failed to show", ["instrument"], registry=self._registry)
        self._seconds = Histogram("gradroom_run_seconds", "From order to result", ["runtime"], buckets=_SECONDS, registry=self._registry)
        self._queue = Gauge("gradroom_queue_depth", "Runs that wait", registry=self._registry)
        self._active = Gauge("gradroom_runs_active", "Runs that run", registry=self._registry)
        self._paused = Gauge("gradroom_runs_paused", "Runs that have begun and let others go first", registry=self._registry)
        self._spares = Gauge("gradroom_spares", "Children that wait for a run", ["runtime"], registry=self._registry)
        self._restarts = Gauge("gradroom_zygote_restarts", "How often a zygote failed in service", ["runtime"], registry=self._registry)
        self._recycles = Gauge("gradroom_zygote_recycles", "How often a fresh zygote took over", ["runtime"], registry=self._registry)

    def count_result(self, result: RunResult, faults: Iterable[str], *, background: bool = False) -> None:
        """Count a result. Background runs are counted separately.

        `faults`: the names of the instruments that failed, as the child gives them.
        """
        if background:
            self._background.labels(result.outcome.value).inc()
        else:
            self._runs.labels(result.outcome.value, result.runtime).inc()
            self._seconds.labels(result.runtime).observe(result.timing.total_ms / 1000)
        for name in faults:
            self._faults.labels(name if name in _INSTRUMENTS else "unknown").inc()

    def render(self, queued: int, active: int, paused: int, pools: Iterable[Pool]) -> bytes:
        """Return Prometheus' text format, after setting the gauges to the current values."""
        self._queue.set(queued)
        self._active.set(active)
        self._paused.set(paused)
        for gauge in (self._spares, self._restarts, self._recycles):
            gauge.clear()  # removes the values of pools that have been closed
        for pool in pools:
            self._spares.labels(pool.runtime.name).set(pool.spares)
            self._restarts.labels(pool.runtime.name).set(pool.rotation.restarts)
            self._recycles.labels(pool.runtime.name).set(pool.rotation.recycles)
        return generate_latest(self._registry)
