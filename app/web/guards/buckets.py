"""Token buckets, which bound how often something may happen.

A bucket is stored as the time at which it will be full again (the generic cell rate algorithm). The fixed windows of the library `limits`
admit twice as much where two windows meet. A bucket does not, and needs only one number for a key.
"""

from collections import OrderedDict
from dataclasses import dataclass

REMEMBERED = 20_000  # keys of one rate, the most recently used: some 100 bytes each


@dataclass(frozen=True)
class Rate:
    """`at_once` is how many units may be taken together. In each second, `per_second` units come back."""

    per_second: float
    at_once: float


class Buckets:
    """One bucket for each key. At most REMEMBERED buckets are stored; a key whose bucket was dropped has a full bucket."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def wait_seconds(self, key: str, cost: float, now: float) -> float:
        """Return in how many seconds the bucket will contain `cost`: 0 if it does now."""
        missing_seconds = max(self._full_at.get(key, now) - now, 0.0)
        return max(missing_seconds + (min(cost, self._rate.at_once) - self._rate.at_once) / self._rate.per_second, 0.0)

    def take(self, key: str, cost: float, now: float) -> None:
        self._full_at[key] = max(self._full_at.get(key, now), now) + min(cost, self._rate.at_once) / self._rate.per_second
        self._full_at.move_to_end(key)
        if len(self._full_at) > REMEMBERED:
            self._full_at.popitem(last=False)
