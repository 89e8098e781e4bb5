"""Recorded results of cells whose runtime need not be installed. Each is a file `recorded/<cell>.json` in the lesson's folder.

`gradroom lessons check --record` and author mode write the files. If a record is missing, damaged or older than the cell's code, the
lesson is served without it.
"""

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

import msgspec

from app.lessons.model.model import Cell, RecordedResult, Recording
from app.lessons.toml.problem import Problem
from app.lessons.toml.source import Reader
from app.protocol.limits import MEBIBYTE
from app.protocol.records.registry import RecordMalformed, RecordTooLarge, decode_records, encode_record
from app.protocol.run import DEFAULT_RUNTIME, Lang, RecordedNote, RunResult, Timing

FOLDER = "recorded"
RUN_ID = "recorded"
RECORDING_BYTES = MEBIBYTE
ADDRESS = re.compile(rb"0x[0-9a-f]{8,}")  # the address of an object in memory, as repr writes it
# a number with a point that is not part of a version
NUMBER = re.compile(r"(?<![\d.])-?\d+\.\d+(?:e[+-]\d+)?(?!\d|\.\d)")
FLOAT32_DIGITS = 9  # the most digits that a printed float32 has
UNITS = 4  # how many units in the last place results of different processors may be apart
EXCERPT = 120
REWRITES = "where the runtime is installed, run it in author mode and record it, or check with --record"
_decoder = msgspec.json.Decoder(Recording)


class RecordingFault(Exception):
    """A file is not a valid record. `line` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def needs_recording(cell: Cell) -> bool:
    """Return whether the cell's runtime need not be installed, so that its result has to be recorded."""
    return cell.runtime != DEFAULT_RUNTIME


def recording_file(lesson: str, cell_id: str) -> str:
    """Return the path of a cell's record within the course's folder. `lesson` is a path, "chapter/lesson"."""
    return f"{lesson}/{FOLDER}/{cell_id}.json"


def hash_sources(cell: Cell, cells: Sequence[Cell]) -> str:
    """Return a digest of everything that decides what a run of the unedited cell shows. `cells` are all cells of the lesson."""
    replayed = [other for name in cell.after for other in cells if other.id == name]
    last = msgspec.structs.replace(cell, raises=None)  # only of replayed cells does `raises` change the run
    made_of = [[one.id, one.source, one.raises] for one in (*replayed, last)], cell.runtime, cell.instruments
    return hashlib.sha256(msgspec.json.encode(made_of)).hexdigest()[:16]


def make_recording(sources: str, results: Mapping[Lang, RunResult]) -> Recording:
    """Return a record of `results`, a run of a cell in each language.

    Fields that differ between runs are left out, and addresses in memory become zeros.
    """
    english = results["en"]
    recorded = {lang: _without_addresses(result) for lang, result in results.items()}
    recorded = {lang: result for lang, result in recorded.items() if lang == "en" or result != recorded["en"]}
    return Recording(sources=sources, runtime=english.runtime, version=english.versions.get(english.runtime, ""), results=recorded)


def _without_addresses(result: RunResult) -> RecordedResult:
    """Return the result with zeros in place of addresses in memory.

    The number of printed characters stays the same, because the place of a record is counted in them.
    """
    fields = {name: getattr(result, name) for name in RecordedResult.__struct_fields__}
    data = ADDRESS.sub(lambda found: b"0x".ljust(len(found[0]), b"0"), msgspec.json.encode(fields))
    return msgspec.json.decode(data, type=RecordedResult)


def restore_result(recording: Recording, lang: Lang, note: RecordedNote | None = None) -> RunResult:
    """Return the recorded result as the result of a run that took no time. `note` tells the learner that it was recorded."""
    recorded = recording.results.get(lang) or recording.results["en"]
    return RunResult(
        id=RUN_ID,
        timing=Timing(queued_ms=0, run_ms=0, total_ms=0),
        runtime=recording.runtime,
        versions={recording.runtime: recording.version},
        lang=lang,
        recorded=note,
        **{name: getattr(recorded, name) for name in RecordedResult.__struct_fields__},
    )


def render_recording(recording: Recording) -> str:
    """Return the text of a record's file."""
    return msgspec.json.format(msgspec.json.encode(recording), indent=1).decode() + "\n"


def parse_recording(text: str) -> Recording:
    """Return the record in the `text` of a file. Raises RecordingFault, also if `render_recording` would write another text."""
    try:
        recording = _decoder.decode(text)
        if "en" not in recording.results:
            raise RecordingFault(1, "expected a result in the language en")
        results = {lang: _decode_all(result) for lang, result in recording.results.items()}
        recording = msgspec.structs.replace(recording, results=results)
    except (msgspec.DecodeError, RecordMalformed, RecordTooLarge, RecursionError) as error:
        raise RecordingFault(1, f"expected a record: {error}") from error
    if found := find_difference(text, render_recording(recording)):
        raise RecordingFault(*found)
    return recording


def _decode_all(result: RecordedResult) -> RecordedResult:
    """Return the result with its records decoded and encoded again. Raises RecordMalformed or RecordTooLarge if one is not valid."""
    return msgspec.structs.replace(result, records=[msgspec.Raw(encode_record(record)) for record in decode_records(result.records)])


def find_difference(recorded: str, run: str) -> tuple[int, str] | None:
    """Return the first line that differs in the texts of two records, and a message. Return None if the texts are equal."""
    for line, (one, other) in enumerate(zip_longest(recorded.split("\n"), run.split("\n"), fillvalue=""), 1):
        if one != other:
            at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
            begin = max(0, at - EXCERPT // 2) if at > EXCERPT else 0
            return line, f"expected {_quote(other, begin)}, got {_quote(one, begin)}"
    return None


def find_other_result(recorded: str, run: str) -> tuple[int, str] | None:
    """Return the first difference, as `find_difference` does. Small differences of numbers, as between processors, do not count."""
    lines = recorded.split("\n")
    for at, other in enumerate(run.split("\n")[: len(lines)]):
        if _is_close(lines[at], other):
            lines[at] = other
    return find_difference("\n".join(lines), run)


def _is_close(one: str, other: str) -> bool:
    same_words = NUMBER.sub("#", one) == NUMBER.sub("#", other)
    return same_words and all(map(_are_close, NUMBER.findall(one), NUMBER.findall(other)))


def _are_close(one: str, other: str) -> bool:
    """Return whether two numbers differ by at most UNITS in the last place of a float32.

    If one of the numbers has more digits than a float32 can have, the last place of a float64 counts.
    """
    digits = max(len(re.sub(r"^-?[0.]*|e.*|\.", "", text)) for text in (one, other))
    unit = 2.0**-23 if digits <= FLOAT32_DIGITS else 2.0**-52
    return math.isclose(float(one), float(other), rel_tol=UNITS * unit)


def _quote(text: str, begin: int) -> str:
    excerpt = text[begin : begin + EXCERPT].strip()
    return f"{'…' if begin else ''}{excerpt}{'…' if len(text) > begin + EXCERPT else ''}" or "nothing"


def load_recordings(folder: Path, lesson: str, cells: Sequence[Cell]) -> tuple[dict[str, Recording], list[Problem]]:
    """Return the valid records of a lesson's cells by cell id, and the problems of missing and invalid records."""
    recordings: dict[str, Recording] = {}
    reader = Reader(folder)
    for cell in filter(needs_recording, cells):
        file = recording_file(lesson, cell.id)
        if not (folder / file).is_file():
            reader.report(file, 1, f"the cell {cell.id}: its recorded result is missing: {REWRITES}")
        elif (folder / file).stat().st_size > RECORDING_BYTES:
            reader.report(file, 1, f"the cell {cell.id}: expected at most {RECORDING_BYTES:,} bytes")
        elif text := reader.read(file, "a recorded result"):
            try:
                recording = parse_recording(text)
                _check_current(recording, cell, cells, text)
                recordings[cell.id] = recording
            except RecordingFault as fault:
                reader.report(file, fault.line, f"the cell {cell.id}: {fault}: {REWRITES}")
    return recordings, [*reader.problems, *_find_unknown(folder, lesson, cells)]


def _check_current(recording: Recording, cell: Cell, cells: Sequence[Cell], text: str) -> None:
    """Raise RecordingFault if the code of the cell, or of a cell that it continues, has changed since the recording."""
    if recording.sources != hash_sources(cell, cells):
        line = next((number for number, one in enumerate(text.split("\n"), 1) if '"sources"' in one), 1)
        raise RecordingFault(line, "the code of the cell, or of one that it continues, has changed since this was recorded")


def _find_unknown(folder: Path, lesson: str, cells: Sequence[Cell]) -> list[Problem]:
    known = {f"{cell.id}.json" for cell in cells if needs_recording(cell)}
    message = "this file is not used: expected only records of cells whose runtime is not the usual one, by their ids"
    files = sorted(path.name for path in (folder / lesson / FOLDER).glob("*"))
    return [Problem(f"{lesson}/{FOLDER}/{name}", 1, message) for name in files if name not in known]
