"""From the body of `POST /api/runs` to the order for the runner: strict decoding, and the lesson's cells resolved."""

import json
import re
from typing import Any

import msgspec

from app.lessons.catalogue import Catalogue
from app.lessons.model import Cell, Lesson
from app.locale.messages import mark
from app.protocol.limits import SOURCE_BYTES, Limits
from app.protocol.run import Program, RunOrder, RunRequest, Source
from app.web.errors import BadField, Missing, TooLong
from app.web.language import LANGS

RUNTIMES = ("torch",)
SURROGATE = re.compile("[\ud800-\udfff]")
TEXT = mark("Python source as text, at most 65,536 bytes as UTF-8, without lone surrogates")
EXPECTED = {
    "body": mark("a JSON object"),
    "source": TEXT,
    "runtime": mark("the name of a runtime that is installed: torch"),
    "lesson": mark('a lesson, written "chapter/lesson"'),
    "cell": mark("the id of a cell"),
    "sources": mark("an object from ids of cells to Python source, each at most 65,536 bytes as UTF-8, without lone surrogates"),
    "seed": mark("a whole number from 0 to 4294967295"),
    "instruments": mark("a list of at most 32 names of instruments"),
    "lang": mark('"en" or "zh-Hans"'),
}
KNOWN_FIELD = mark("only the fields that are documented")
WITH_LESSON = mark("a lesson along with it")
REPLAYED = mark("only cells of the lesson")

decoder = msgspec.json.Decoder(RunRequest)


def parse_run_request(body: bytes) -> RunRequest:
    """The request, or BadField for the first field that does not fit."""
    try:
        request = decoder.decode(body)
    except msgspec.ValidationError as error:
        raise name_field(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise find_surrogate(body) from None
    check_text("source", request.source)
    for cell, text in request.sources.items():
        check_text(f"sources.{cell}", text)
    return request


def check_text(field: str, text: str) -> None:
    size_bytes = len(text.encode())
    if size_bytes > SOURCE_BYTES:
        raise TooLong(field, size_bytes)


def name_field(message: str) -> BadField:
    """The field that msgspec complains of."""
    if found := re.search(r"unknown field `(.*)`$", message):
        return BadField(found[1][:64], KNOWN_FIELD, "unknown_field")
    if found := re.search(r"missing required field `(\w+)`", message):
        return BadField(*known_field(found[1]), "missing_field")
    found = re.search(r"`\$\.(\w+)", message)
    return BadField(*known_field(found[1] if found else "body"))


def known_field(name: str) -> tuple[str, str]:
    """A field and what is expected of it; the body as a whole for a name that only stands in what was sent."""
    return (name, EXPECTED[name]) if name in EXPECTED else ("body", EXPECTED["body"])


def find_surrogate(body: bytes) -> BadField:
    """What is wrong with a body that msgspec cannot read: a lone surrogate in a field, or it is not JSON."""
    fields = peek(body)
    for field in ("source", "sources"):
        if SURROGATE.search(json.dumps(fields.get(field), ensure_ascii=False)):
            return BadField(field, EXPECTED[field])
    return BadField("body", EXPECTED["body"], "bad_json")


def peek(body: bytes) -> dict[str, Any]:
    """The fields of a body that may not be valid, as far as they can be read at all."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def peek_lang(body: bytes) -> str | None:
    """The `lang` of a body that is not valid, so that the complaint is in the right language."""
    lang = peek(body).get("lang")
    return lang if lang in LANGS else None


def make_order(request: RunRequest, catalogue: Catalogue, defaults: Limits, factor: float) -> RunOrder:
    """The order, still without whom it counts for; raises Missing for a lesson or cell that does not exist.

    A cell may ask for at most `factor` times the limits that are the `defaults`.
    """
    lesson, cell = find_cell(request, catalogue)
    runtime = request.runtime or (lesson.runtime if lesson else "torch")
    if runtime not in RUNTIMES:
        raise BadField("runtime", EXPECTED["runtime"], "no_such_runtime")
    limits = cell.limits(defaults, factor) if cell else defaults
    program = make_program(request, catalogue, lesson, cell)
    return RunOrder(program=msgspec.structs.replace(program, threads=limits.compute_threads), runtime=runtime, limits=limits)


def find_cell(request: RunRequest, catalogue: Catalogue) -> tuple[Lesson | None, Cell | None]:
    if request.lesson is None:
        if request.cell is not None:
            raise BadField("cell", WITH_LESSON, "cell_without_lesson")
        if request.sources:
            raise BadField("sources", WITH_LESSON, "cell_without_lesson")
        return None, None
    lesson = catalogue.lesson(request.lesson)
    if lesson is None:
        raise Missing("no_such_lesson", mark("There is no such lesson."), "lesson")
    for name in request.sources:
        if lesson.cell(name) is None:
            raise BadField("sources", REPLAYED)
    if request.cell is None:
        return lesson, None
    cell = lesson.cell(request.cell)
    if cell is None:
        raise Missing("no_such_cell", mark("The lesson has no such cell."), "cell")
    return lesson, cell


def make_program(request: RunRequest, catalogue: Catalogue, lesson: Lesson | None, cell: Cell | None) -> Program:
    if lesson is None or cell is None:
        return Program(source=Source(text=request.source), seed=request.seed, instruments=request.instruments)
    return catalogue.program(lesson, cell.id, request.source, request.sources, seed=request.seed, instruments=request.instruments)
