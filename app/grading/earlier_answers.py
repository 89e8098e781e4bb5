"""Converts answers to submissions that were stored in the format before: the `pitfall` of an error was called `stumble`.

Answers are stored for a day, so no format before that one is left.
"""

import msgspec

_Fields = dict[str, msgspec.Raw]
_answers = msgspec.json.Decoder(_Fields)
_objects = msgspec.json.Decoder(_Fields | None)
_NULL = msgspec.Raw(b"null")


def renew_answer(data: bytes) -> bytes:
    """Return the JSON of a SubmissionAnswer in the current format. If `data` has this format already, return it unchanged."""
    answer = _answers.decode(data)
    run = _objects.decode(answer["run"]) or {}
    error = _objects.decode(run.get("error", _NULL)) or {}
    if "stumble" not in error:
        return data
    renewed = {("pitfall" if name == "stumble" else name): value for name, value in error.items()}
    return msgspec.json.encode({**answer, "run": {**run, "error": renewed}})
