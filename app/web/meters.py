"""The metrics of web and of the store, for Prometheus. Requests are labelled by the pattern of their route, never by their path."""

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric, SummaryMetricFamily
from prometheus_client.registry import Collector

from app.classroom.store.faults.store_health import StoreHealth
from app.classroom.store.store_counts import StoreFigures
from app.classroom.store.store_room import StoreRoom
from app.classroom.store.times import now_ms
from app.web.guards.additions import Additions
from app.web.runs.run_service import RunEnded

SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

STORE_GAUGES = {
    "database_bytes": "Size of the database's file.",
    "log_bytes": "Size of its write-ahead log.",
    "learners": "Learners of whom something is kept.",
    "attempts": "Submissions with a receipt that are kept.",
    "drafts": "Drafts that are kept.",
    "classes": "Classes.",
    "members": "Members of classes.",
}


class Meters:
    """The counters of one app. `since_ms` is the time since which they count."""

    def __init__(self) -> None:
        self.since_ms = now_ms()
        self.registry = CollectorRegistry()
        self._requests = Counter("gradroom_web_requests", "Requests answered.", ["method", "route", "status"], registry=self.registry)
        self._seconds = Histogram(
            "gradroom_web_request_seconds",
            "Time to answer a request, a run's included.",
            ["route"],
            buckets=SECONDS,
            registry=self.registry,
        )
        self._open = Gauge("gradroom_web_open_requests", "Requests being answered.", registry=self.registry)
        self._runs = Counter("gradroom_web_runs", "Runs by their end.", ["ending"], registry=self.registry)
        self._submissions = Counter("gradroom_web_submissions", "Submissions by their verdict.", ["outcome"], registry=self.registry)
        self._runner_up = Gauge("gradroom_web_runner_up", "1 if the runner answered just now.", registry=self.registry)

    @property
    def failures(self) -> int:
        """The number of requests that were answered with a fault of ours, status 500."""
        samples = (sample for metric in self._requests.collect() for sample in metric.samples)
        return int(sum(one.value for one in samples if one.name.endswith("_total") and one.labels["status"] == "500"))

    def begin(self) -> None:
        self._open.inc()

    def end(self, method: str, route: str, status: int, seconds: float) -> None:
        self._open.dec()
        self._requests.labels(method, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def count_run(self, ended: RunEnded) -> None:
        self._runs.labels(str(ended.ending)).inc()

    def count_submission(self, *, passed: bool) -> None:
        self._submissions.labels("passed" if passed else "not_passed").inc()

    def render(self, use: "StoreUseMeters", *, runner_up: bool) -> bytes:
        """Return the metrics of this process as text."""
        self._runner_up.set(runner_up)
        return generate_latest(self.registry) + generate_latest(use)


class StoreMeters(Collector):
    """The metrics of the store at one moment. `figures` is None while the store cannot be read."""

    def __init__(self, figures: StoreFigures | None, room: StoreRoom, additions: Additions) -> None:
        self._figures, self._room, self._additions = figures, room, additions

    def collect(self) -> Iterable[Metric]:
        for name, meaning in STORE_GAUGES.items():
            if self._figures:
                yield GaugeMetricFamily(f"gradroom_store_{name}", meaning, getattr(self._figures, name))
        yield GaugeMetricFamily("gradroom_store_up", "1 if the store could be read.", int(self._figures is not None))
        yield GaugeMetricFamily("gradroom_store_used_bytes", "Bytes in use, as of the last commit.", self._room.used_bytes)
        if self._room.limit_bytes is not None:
            yield GaugeMetricFamily("gradroom_store_limit_bytes", "Bytes that may be used.", self._room.limit_bytes)
        yield GaugeMetricFamily("gradroom_store_at_limit", "1 while nothing more is kept.", int(self._room.at_limit))
        yield GaugeMetricFamily("gradroom_store_addresses_at_limit", "Addresses that may add nothing.", len(self._additions.addresses))


class StoreUseMeters(Collector):
    """The metrics of how this process uses the store."""

    def __init__(self, health: StoreHealth, additions: Additions) -> None:
        self._health, self._additions = health, additions

    def collect(self) -> Iterable[Metric]:
        faults = CounterMetricFamily("gradroom_store_faults", "What the store could not keep or show, by reason.", labels=["reason"])
        for reason, count in self._health.faults.copy().items():
            faults.add_metric([reason], count)
        yield faults
        refused = CounterMetricFamily("gradroom_store_refusals", "Changes that a limit refused, by reason.", labels=["reason"])
        for reason, count in self._additions.refused.copy().items():
            refused.add_metric([reason], count)
        yield refused
        commits, seconds = self._health.commits, self._health.commit_seconds
        yield SummaryMetricFamily("gradroom_store_commit_seconds", "Time of a commit, of one or several changes.", commits, seconds)
