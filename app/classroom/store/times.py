"""Times as they are stored, in milliseconds since 1970, and their conversions."""

import time
from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY_MS = 24 * 60 * 60 * 1000


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def to_datetime(at_ms: int) -> datetime:
    """Return a time as a datetime in UTC."""
    return EPOCH + timedelta(milliseconds=at_ms)


def to_ms(at: datetime) -> int:
    """Return a datetime with a time zone in milliseconds."""
    return (at - EPOCH) // timedelta(milliseconds=1)


def format_time(at_ms: int) -> str:
    """Return a time in ISO 8601, in UTC."""
    return to_datetime(at_ms).isoformat(timespec="milliseconds").replace("+00:00", "Z")
