"""Converts answers to submissions that were stored in an earlier format.

The `pitfall` of an error was called `stumble`. Earlier still, a result had three lists in place of `records`; only the list `displays` ever
had elements. A record had no id. In place of a span it had a cell and a line.
"""

from collections import Counter

import msgspec

_Fields = dict[str, msgspec.Raw]
_answers = msgspec.json.Decoder(_Fields)
_objects = msgspec.json.Decoder(_Fields | None)
_displays = msgspec.json.Decoder(list[_Fields])
_kinds = msgspec.json.Decoder(str)
_encoder = msgspec.json.Encoder()
_NULL = msgspec.Raw(b"null")
_REPLACED = ("displays", "functions", "diagnoses")


def renew_answer(data: bytes) -> bytes:
    """Return the JSON of a SubmissionAnswer in the current format. If `data` has this format already, return it unchanged."""
    answer = _answers.decode(data)
    run = _objects.decode(answer["run"])
    if run is None:
        return data
    renewed: dict[str, object] = dict(run)
    error = _objects.decode(run.get("error", _NULL))
    if error is not None and "stumble" in error:
        renewed["error"] = {"pitfall" if name == "stumble" else name: value for name, value in error.items()}
    if "displays" in run:
        renewed = {name: value for name, value in renewed.items() if name not in _REPLACED}
        renewed["records"] = renew_records(_displays.decode(run["displays"]))
    return data if renewed == run else _encoder.encode({**answer, "run": renewed})


def renew_records(displays: list[_Fields]) -> list[dict[str, object]]:
    """Return the records in the current format. Each gets an id made of its kind and number, as in a run."""
    counts: Counter[str] = Counter()
    records: list[dict[str, object]] = []
    for fields in displays:
        kind = _kinds.decode(fields.pop("kind"))
        counts[kind] += 1
        cell, line = fields.pop("cell", _NULL), fields.pop("line", _NULL)
        span = None if bytes(line) == bytes(_NULL) else {"cell": cell, "line": line, "column": None, "end_line": None, "end_column": None}
        records.append({"kind": kind, "id": f"{kind}-{counts[kind]}", "span": span, "refs": [], **fields})
    return records
