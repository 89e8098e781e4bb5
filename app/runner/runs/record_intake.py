"""Decodes the records that a child sends: bounds them first, and then checks them against what is known.

A record is refused if it contradicts itself, the program's text, or arithmetic.
"""

import asyncio

import msgspec
import structlog

from app.pitfalls.pitfall_book import load_pitfalls
from app.protocol.harmless import harmless_json
from app.protocol.limits import Limits
from app.protocol.records.diagnosis import Diagnosis
from app.protocol.records.gradcheck import ClaimedGradcheck
from app.protocol.records.graph import GraphRecord
from app.protocol.records.judgement import judge
from app.protocol.records.record import Record
from app.protocol.records.registry import RecordMalformed, RecordTooLarge, decode_claim
from app.protocol.run import Lang
from app.runner.drawing.graph_dot import render_dot
from app.runner.runs.program_lines import ProgramLines

_EDIT_CHARACTERS = 2**20  # the most of all diagnoses together: a child names a place in few bytes, and its text may be long
_RECORDS = 500  # each may need a picture; their bytes have a cap of their own
# A number takes 32 bytes of memory and 0.1 µs, however short it is written. The markers of a scatter plot take 9.7 bytes an entry, graphs
# take 13, numbers of all their digits 20.
_BYTES_AN_ENTRY = 8
_ENTRIES_AT_ONCE = 8192  # decoded and judged in some milliseconds

_log = structlog.get_logger()


class RecordIntake:
    """Decodes the records of one run. It caps their number, and the number of list and object entries in all of them together.

    `tells_changes`: whether diagnoses say what to change.
    """

    def __init__(self, lines: ProgramLines, limits: Limits, lang: Lang, *, tells_changes: bool = True) -> None:
        self._records_left = _RECORDS
        self._entries_left = limits.records_bytes // _BYTES_AN_ENTRY
        self._edit_characters_left = _EDIT_CHARACTERS
        self._lines = lines
        self._lang: Lang = lang
        self._tells_changes = tells_changes
        self._records: set[str] = set()
        self._introduced: set[str] = set()  # ids of nodes, tensors and calls

    async def take(self, data: bytes) -> Record:
        """Return the record, checked and without its picture. Raises RecordTooLarge or RecordMalformed."""
        # every entry of a list or object except the first follows a comma; how many lists there may be, each kind of record bounds
        entries = data.count(b",")
        self._records_left -= 1
        self._entries_left -= entries
        if self._records_left < 0 or self._entries_left < 0:
            raise RecordTooLarge
        is_large = entries > _ENTRIES_AT_ONCE
        data = harmless_json(data)
        if is_large:
            await asyncio.sleep(0)  # so that other runs do not wait
        record = decode_claim(data)
        if is_large:
            await asyncio.sleep(0)
        try:
            self._lines.check_record(record)
            self._check_ids(record)
            if isinstance(record, Diagnosis):
                self._put_into_words(record)
                if not self._tells_changes:
                    record.change, record.edits = None, []
            if isinstance(record, ClaimedGradcheck):
                for _ in judge(record):
                    if is_large:
                        await asyncio.sleep(0)
        except (ValueError, ArithmeticError, msgspec.DecodeError) as error:
            raise RecordMalformed(str(error)) from error
        if isinstance(record, GraphRecord):
            record.dot = await asyncio.to_thread(render_dot, record) if is_large else render_dot(record)
        return record

    def _put_into_words(self, diagnosis: Diagnosis) -> None:
        """Set the texts of a diagnosis. Once the edits of a run are too long together, further edits are left out.

        A diagnosis that lacks a value gets no texts. It does not end the run, because that would take other results from the learner.
        """
        try:
            load_pitfalls().put_into_words(diagnosis, self._lang, self._lines.read)
        except ValueError as error:
            _log.warning("diagnosis_without_words", reason=str(error))
        self._edit_characters_left -= sum(len(edit.text) for edit in diagnosis.edits)
        if self._edit_characters_left < 0:
            diagnosis.edits = []

    def _check_ids(self, record: Record) -> None:
        """Raise ValueError unless the record's id is new and everything that it refers to has been sent."""
        self._introduced.update(record.introduces)
        if not record.id or record.id in self._records or record.id in self._introduced or not self._records.isdisjoint(record.introduces):
            raise ValueError("the id of a record is its own")
        self._records.add(record.id)
        if not all(one in self._introduced or one in self._records for one in record.references):
            raise ValueError("a record refers to what was not sent")
