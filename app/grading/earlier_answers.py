"""Answers to submissions as they were stored before a result had one list of records.

It had three, two of which were always empty; nothing else in `app/` knows their names. A record said its cell and its line in place of a
span, and had no id.
"""

from collections import Counter

import msgspec

_Fields = dict[str, msgspec.Raw]
_answers = msgspec.json.Decoder(_Fields)
_runs = msgspec.json.Decoder(_Fields | None)
_displays = msgspec.json.Decoder(list[_Fields])
_kinds = msgspec.json.Decoder(str)
_encoder = msgspec.json.Encoder()
_NULL = msgspec.Raw(b"null")
_REPLACED = ("displays", "functions", "diagnoses")


def renew_answer(data: bytes) -> bytes:
    """The JSON of a SubmissionAnswer as it is today; one of today's is returned as it is."""
    answer = _answers.decode(data)
    run = _runs.decode(answer["run"])
    if run is None or "displays" not in run:
        return data
    records = renew_records(_displays.decode(run["displays"]))
    others = {name: value for name, value in run.items() if name not in _REPLACED}
    return _encoder.encode({**answer, "run": {**others, "records": records}})


def renew_records(displays: list[_Fields]) -> list[dict[str, object]]:
    """Each with an id as a run gives it: its kind and number."""
    counts: Counter[str] = Counter()
    records: list[dict[str, object]] = []
    for fields in displays:
        kind = _kinds.decode(fields.pop("kind"))
        counts[kind] += 1
        cell, line = fields.pop("cell", _NULL), fields.pop("line", _NULL)
        span = None if bytes(line) == bytes(_NULL) else {"cell": cell, "line": line, "column": None, "end_line": None, "end_column": None}
        records.append({"kind": kind, "id": f"{kind}-{counts[kind]}", "span": span, "refs": [], **fields})
    return records
