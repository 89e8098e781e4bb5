"""The faults of the store and the time of its commits. A repeated fault is logged once a minute, not for every request."""

import threading
import time
from collections import Counter

import structlog
from sqlalchemy.exc import DBAPIError

from app.classroom.store.faults.store_faults import StoreFault

QUIET_SECONDS = 60.0  # until the same fault is logged again

log = structlog.get_logger()


class StoreHealth:
    """Counts since the start: `faults` by reason, `commits`, and the seconds that all commits took together."""

    def __init__(self) -> None:
        self.faults: Counter[str] = Counter()
        self.commits, self.commit_seconds = 0, 0.0
        self._lock = threading.Lock()
        self._last: tuple[str, float] | None = None  # the last logged fault and its time, unless a commit succeeded since

    @property
    def fault(self) -> str | None:
        """The reason of the last fault, or None if a commit has succeeded since."""
        last = self._last
        return last[0] if last else None

    def committed(self, seconds: float) -> None:
        with self._lock:
            self.commits += 1
            self.commit_seconds += seconds
            recovered, self._last = self._last, None
        if recovered:
            log.info("store_works", after=recovered[0])

    def failed(self, fault: StoreFault, error: Exception) -> StoreFault:
        """Count a fault, and return it. It is logged unless the same fault was logged within the last minute. `error` is its cause."""
        now = time.monotonic()
        with self._lock:
            self.faults[fault.reason] += 1
            logged = self._last is not None and self._last[0] == fault.reason and now - self._last[1] < QUIET_SECONDS
            if not logged:
                self._last = fault.reason, now
        if not logged:
            foreseen = isinstance(error, StoreFault | DBAPIError | OSError)
            log.error("store_fault", reason=fault.reason, message=str(fault), exc_info=None if foreseen else error)
        return fault
