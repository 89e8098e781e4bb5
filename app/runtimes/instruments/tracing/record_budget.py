"""Bounds the size of the records of a trace, because a run whose records are too large together is ended. Runs in the child."""

from app.protocol.limits import MEBIBYTE
from app.protocol.records.record import Record
from app.protocol.records.registry import encode_record

GRAPH_BYTES = 5 * MEBIBYTE // 4  # the most bytes of all traced graphs together


class RecordBudget:
    """The bytes of JSON that are left for the records of one kind."""

    def __init__(self, bytes_left: int) -> None:
        self._bytes_left = bytes_left

    def admit(self, record: Record) -> bool:
        """Return whether there is room for a record, and subtract its size if so."""
        size = len(encode_record(record))
        if size > self._bytes_left:
            return False
        self._bytes_left -= size
        return True
