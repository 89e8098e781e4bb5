"""A record of a kind that is not in the registry, because it comes from another version or runtime.

It is shown as unknown, never as a known kind.
"""

from typing import Any

from app.protocol.records.record import Record

UNKNOWN_DEPTH = 32
UNKNOWN_ENTRIES = 10_000


class UnknownRecord(Record, kw_only=True):
    """A record of an unknown kind. `unknown_kind`: the kind that the sender gave. `fields`: everything else that was sent, as plain JSON.

    Raises ValueError if it is too large.
    """

    unknown_kind: str
    fields: dict[str, Any] = {}

    def __post_init__(self) -> None:
        check_json(self.fields)

    @property
    def name(self) -> str:
        return f"unknown record {self.unknown_kind}"


def check_json(fields: dict[str, Any]) -> None:
    """Raise ValueError for what nests too deeply or has too many entries."""
    waiting: list[tuple[Any, int]] = [(fields, 0)]
    seen = 0
    while waiting:
        value, depth = waiting.pop()
        seen += 1
        if depth > UNKNOWN_DEPTH or seen > UNKNOWN_ENTRIES:
            raise ValueError(f"at most {UNKNOWN_ENTRIES} entries, {UNKNOWN_DEPTH} deep")
        if isinstance(value, dict):
            waiting += [(inner, depth + 1) for inner in value.values()]
        elif isinstance(value, list):
            waiting += [(inner, depth + 1) for inner in value]
