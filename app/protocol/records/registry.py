"""The kinds of records. For each kind: its type, how large a record may be, and the names that lessons use for it.

Decoding is strict: a record of a known kind has that kind's fields and bounds, and JSON cannot say NaN. A kind that is not in `KINDS`
becomes an `UnknownRecord`, which is bounded, too.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from app.protocol.limits import MEBIBYTE
from app.protocol.records.diagnosis import Diagnosis
from app.protocol.records.examined import ExaminedRecord
from app.protocol.records.fault import FaultRecord
from app.protocol.records.figure import FIGURE_ELEMENTS, FigureRecord
from app.protocol.records.gradcheck import ClaimedGradcheck, GradcheckRecord
from app.protocol.records.graph import GraphRecord, TracedGraphRecord
from app.protocol.records.record import Label, Record
from app.protocol.records.replay import ReplayRecord
from app.protocol.records.saved import SavedRecord
from app.protocol.records.unknown import UnknownRecord
from app.protocol.records.value import ValueRecord


class Kind(msgspec.Struct, frozen=True):
    """A kind. `most_bytes`, `most_lists`: bounds on a record's JSON before it is decoded, because small JSON can become large in memory.

    `names`: the names for such records that lessons may declare.
    """

    type: type[Record]
    most_bytes: int = 64 * MEBIBYTE
    most_lists: int = 400_000
    names: tuple[str, ...] = ()


KINDS: dict[str, Kind] = {
    "graph": Kind(GraphRecord, names=("graph",)),
    "gradcheck": Kind(
        GradcheckRecord,
        names=tuple(f"{check} {verdict}" for check in ("gradcheck", "gradgradcheck") for verdict in ("passed", "failed", "empty")),
    ),
    "value": Kind(ValueRecord, most_bytes=MEBIBYTE // 4, names=("value",)),
    "figure": Kind(FigureRecord, most_bytes=8 * MEBIBYTE, most_lists=3 * FIGURE_ELEMENTS, names=("figure",)),
    "fault": Kind(FaultRecord),
    "traced_graph": Kind(TracedGraphRecord, names=("traced_graph",)),
    "replay": Kind(ReplayRecord, most_bytes=8 * MEBIBYTE, names=("replay",)),
    "saved": Kind(SavedRecord, most_bytes=MEBIBYTE, names=("saved",)),
    "diagnosis": Kind(Diagnosis, most_bytes=MEBIBYTE),
    "examined": Kind(ExaminedRecord, most_bytes=MEBIBYTE // 64, names=("examined",)),
}
# the types as which a child's records are decoded, for kinds whose own type is not used
CLAIMS: dict[str, type[Record]] = {"gradcheck": ClaimedGradcheck}
RECORD_NAMES = tuple(name for kind in KINDS.values() for name in kind.names)
_UNKNOWN_BYTES = MEBIBYTE // 16

_encoder = msgspec.json.Encoder()
_Decoders = dict[str, "msgspec.json.Decoder[Record]"]
_decoders: _Decoders = {name: msgspec.json.Decoder(kind.type) for name, kind in KINDS.items()}
_of_claims: _Decoders = _decoders | {name: msgspec.json.Decoder(claim) for name, claim in CLAIMS.items()}


class _Tagged(msgspec.Struct):
    kind: Label


_tag = msgspec.json.Decoder(_Tagged)
_fields: "msgspec.json.Decoder[dict[str, Any]]" = msgspec.json.Decoder(dict[str, Any])
_KIND_CHARACTERS = 64


class RecordTooLarge(Exception):
    """A record is larger than its kind allows."""


class RecordMalformed(Exception):
    """The data is no record, or does not have the fields of its kind."""


def decode_record(data: bytes) -> Record:
    """Return one record that comes from outside. Raises RecordTooLarge or RecordMalformed."""
    return _decode(data, _decoders)


def decode_claim(data: bytes) -> Record:
    """Return one record that a child sent. If its kind is in `CLAIMS`, some of its parts stay undecoded. Raises as `decode_record` does."""
    return _decode(data, _of_claims)


def _decode(data: bytes, decoders: _Decoders) -> Record:
    try:
        name = _tag.decode(data).kind
        kind = KINDS.get(name)
        if len(data) > (kind.most_bytes if kind else _UNKNOWN_BYTES) or (kind and data.count(b"[") > kind.most_lists):
            raise RecordTooLarge(name[:_KIND_CHARACTERS])
        return decoders[name].decode(data) if kind else _decode_unknown(data)
    except (msgspec.DecodeError, ValueError, TypeError, RecursionError) as error:
        raise RecordMalformed(str(error)) from error


def encode_record(record: Record) -> bytes:
    """Return the JSON of a record, in the form of the public API."""
    if isinstance(record, UnknownRecord):
        placed = {name: getattr(record, name) for name in _COMMON}
        return _encoder.encode({"kind": record.unknown_kind, **placed, **record.fields})
    return _encoder.encode(record)


def decode_records(records: Iterable[msgspec.Raw]) -> list[Record]:
    """Return the typed records of a result, which has them as JSON."""
    return [decode_record(bytes(record)) for record in records]


_COMMON = Record.__struct_fields__


def _decode_unknown(data: bytes) -> UnknownRecord:
    fields = _fields.decode(data)
    kind = str(fields.pop("kind"))[:_KIND_CHARACTERS]
    places = msgspec.convert({name: fields.pop(name) for name in _COMMON if name in fields}, Record)
    return UnknownRecord(unknown_kind=kind, fields=fields, **msgspec.structs.asdict(places))
