"""Limits how often a learner, an address, and all newcomers at an address may order runs.

Rates are checked before a body is read. A newcomer is a learner who orders a first run. Requests about stored work have rates of their own,
so that saving does not use up the learner's runs. So have requests to trace a run, because a traced run gives way to all others.
"""

import random
from collections import OrderedDict
from math import ceil
from typing import Literal

from app.settings import Settings
from app.web.guards.buckets import REMEMBERED, Buckets, Rate
from app.web.guards.principal import Principal

RateReason = Literal["learner", "address", "newcomers", "saving", "savings", "searches"]
BYTES_A_RUN = 65_536  # so many bytes of a body count as one more run
SPREAD_SECONDS = 10  # over which Retry-After spreads clients that are refused together


class TooOften(Exception):
    """A rate is exceeded. The client may try again after `retry_after_seconds`."""

    def __init__(self, reason: RateReason, retry_after_seconds: int) -> None:
        super().__init__(reason)
        self.reason, self.retry_after_seconds = reason, retry_after_seconds


A_PERSONS_PACE = Rate(per_second=1.0, at_once=15.0)  # of a person who reads, runs and edits; at once, all cells of a lesson
SAVING = Rate(per_second=5.0, at_once=120.0)  # of a person who types; at once, the work in a lesson while the server was down
SAVINGS = Rate(per_second=300.0, at_once=6000.0)  # of an address: a school in which everybody types


class Rates:
    """The rates of one app. A refused request is not counted."""

    def __init__(self, settings: Settings) -> None:
        self._body_bytes = settings.request_bytes
        self._learners = Buckets(Rate(settings.rate_per_learner, settings.burst_per_learner))
        self._addresses = Buckets(Rate(settings.rate_per_address, settings.burst_per_address))
        self._paces = Buckets(A_PERSONS_PACE)
        self._newcomers = Buckets(Rate(settings.newcomer_rate_per_address, settings.newcomer_burst_per_address))
        self._known: OrderedDict[str, None] = OrderedDict()
        self._tracing = Buckets(A_PERSONS_PACE)
        self._saving, self._savings = Buckets(SAVING), Buckets(SAVINGS)

    def admit(self, principal: Principal, content_length: str, now: float) -> None:
        """Count a request to start a run. Raises TooOften.

        `content_length` is the value of the header; `now` is in seconds, from a clock that never goes back.
        """
        learner, address = principal.counts_as, principal.address
        cost = self._cost(content_length)
        if wait_seconds := self._learners.wait_seconds(learner, cost, now):
            raise TooOften("learner", ceil(wait_seconds))
        wait_seconds = self._addresses.wait_seconds(address, cost, now)
        if wait_seconds and self._paces.wait_seconds(
            learner, cost, now
        ):  # a learner who is no faster than a person is not refused because of others
            raise TooOften("address", ceil(wait_seconds) + random.randrange(SPREAD_SECONDS))
        if learner not in self._known:
            if wait_seconds := self._newcomers.wait_seconds(address, 1, now):
                raise TooOften("newcomers", ceil(wait_seconds) + random.randrange(SPREAD_SECONDS))
            self._newcomers.take(address, 1, now)
        self._known[learner] = None
        self._known.move_to_end(learner)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        self._learners.take(learner, cost, now)
        self._paces.take(learner, cost, now)
        self._addresses.take(address, cost, now)

    def admit_stop(self, principal: Principal, now: float) -> None:
        """Count a request to stop a run. Only the learner's rate applies, so others at the address cannot prevent it. Raises TooOften."""
        if wait_seconds := self._learners.wait_seconds(principal.counts_as, 1, now):
            raise TooOften("learner", ceil(wait_seconds))
        self._learners.take(principal.counts_as, 1, now)

    def admit_trace(self, principal: Principal, now: float) -> None:
        """Count a request to trace a run, which uses up nothing of the rates for runs. Raises TooOften."""
        if wait_seconds := self._tracing.wait_seconds(principal.counts_as, 1, now):
            raise TooOften("learner", ceil(wait_seconds))
        self._tracing.take(principal.counts_as, 1, now)

    def admit_saving(self, principal: Principal, content_length: str, now: float) -> None:
        """Count a request about a learner's stored work. Raises TooOften."""
        learner, address, cost = principal.counts_as, principal.address, self._cost(content_length)
        if wait_seconds := self._saving.wait_seconds(learner, cost, now):
            raise TooOften("saving", ceil(wait_seconds))
        if wait_seconds := self._savings.wait_seconds(address, cost, now):
            raise TooOften("savings", ceil(wait_seconds) + random.randrange(SPREAD_SECONDS))
        self._saving.take(learner, cost, now)
        self._savings.take(address, cost, now)

    def _cost(self, content_length: str) -> int:
        """Return the number of runs that a body counts as, by its length. A body of unknown length counts as the longest."""
        declared_bytes = int(content_length) if content_length.isdecimal() and len(content_length) < 16 else self._body_bytes
        return 1 + min(declared_bytes, self._body_bytes) // BYTES_A_RUN
