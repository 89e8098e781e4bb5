"""Finds the line that has to be mended for the error that a program raised. Runs in the child.

The runner explains the same error from the same files, at the innermost line of the traceback.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from app.pitfalls.finding import Place
from app.pitfalls.pitfall_book import load_pitfalls
from app.pitfalls.syntax.error_places import ErrorPlaces
from app.protocol.run import Frame, RunError
from app.runtimes.positions import Sources
from app.runtimes.torch.doctor.found import Found, Value, name_in
from app.runtimes.torch.tensors import is_tensor
from app.runtimes.torch.tracing.traced_program import TracedProgram

_SHAPE = re.compile(r"\[(\d{1,9}(, \d{1,9})*)?\]")
_INDEX = re.compile(r"at (?:index|position) (\d{1,4})")


class LocatedError(NamedTuple):
    """What is known of an error. `function`: the Function that its message names.

    `line`: the innermost line of its traceback that is in no Function; 0 if the error was raised in another source than the one that is
    searched.
    """

    error: RunError
    function: str
    line: int
    program: TracedProgram


def _invalid_gradient(places: ErrorPlaces, raised: LocatedError) -> Place | None:
    """Return the place of a wrong gradient. PyTorch's message counts only the arguments that are tensors."""
    index = _number_in(raised.error.message)
    calls = [each.call for each in raised.program.calls if each.record.function == raised.function and each.call.arguments is not None]
    if index is None or not calls or calls[-1].arguments is None:
        return places.returning_place(raised.function, None)
    tensors = [place for place, each in enumerate(calls[-1].arguments) if is_tensor(each)]
    return places.returning_place(raised.function, tensors[index] if index < len(tensors) else None)


def _gradient_for_other(places: ErrorPlaces, raised: LocatedError) -> Place | None:
    """Return the place of a gradient for an argument that needs none. PyTorch's message counts positions from 1."""
    position = _number_in(raised.error.message)
    return places.returning_place(raised.function, None if position is None else position - 1)


_PLACES: dict[str, Callable[[ErrorPlaces, LocatedError], Place | None]] = {
    "backward-twice": lambda places, raised: places.pass_place(raised.line),
    "detached-backward-call": lambda places, raised: places.cutting_place(raised.line),
    "mark-dirty-misused": lambda places, raised: places.context_place(raised.line, "mark_dirty"),
    "saved-non-tensor": lambda places, raised: places.context_place(raised.line, "save_for_backward"),
    "wrong-shape": _invalid_gradient,
    "wrong-gradient-count": lambda places, raised: places.returning_place(raised.function, None),
    "gradient-for-non-tensor": _gradient_for_other,
}
# Errors that are to be mended in the line that raised, unless the source shows more.
_AT_ERROR = {
    *("undefined-gradient", "saved-tensors-not-unpacked", "numpy-in-backward", "grad-inside-backward"),
    *("no-functorch", "returned-input-mutated"),
}


def find_in_error(error: RunError, program: TracedProgram, sources: Sources) -> Iterator[Found]:
    """Yield the mistake that an error shows, if it is one of those whose line can be found."""
    texts = dict(sources.texts())
    for code, captured in list(load_pitfalls().matching(error, "\n".join(texts.values())).items())[:1]:
        values = values_of(captured)
        if code in _AT_ERROR and error.traceback:
            yield place_at(code, error.traceback[-1], values, sources)
        elif code in _PLACES:
            yield from _find(code, error, values, program, sources)


def _find(code: str, error: RunError, values: Mapping[str, Value], program: TracedProgram, sources: Sources) -> Iterator[Found]:
    """Yield the mistake from the source that raised, or from an earlier one that defines the Function."""
    located = [(filename, places) for filename, text in sources.texts() if (places := ErrorPlaces.read(text)) is not None]
    ran = next(_frames_of(error, located, sources), None)
    for filename, places in [*([ran[:2]] if ran else []), *located]:
        line = ran[2] if ran is not None and filename == ran[0] else 0
        place = _PLACES[code](places, LocatedError(error, str(values.get("function", "")), line, program))
        if place is not None:
            yield Found(code, sources.span(filename, *place), values)
            return


def _frames_of(error: RunError, located: list[tuple[str, ErrorPlaces]], sources: Sources) -> Iterator[tuple[str, ErrorPlaces, int]]:
    """Yield the source and line of each frame that is in no Function, the innermost first."""
    for frame in reversed(error.traceback):
        for filename, places in located:
            if sources.cell(filename) == frame.cell and frame.line is not None and not places.is_in_function(frame.line):
                yield filename, places, frame.line


def place_at(code: str, frame: Frame, values: Mapping[str, Value], sources: Sources) -> Found:
    """Return the mistake at the statement of a frame, or at its line if the source cannot be parsed."""
    for filename, text in sources.texts():
        if sources.cell(filename) == frame.cell and frame.line is not None:
            places = ErrorPlaces.read(text)
            place = places.statement_place(frame.line) if places is not None else None
            return Found(code, sources.span(filename, *place) if place else sources.span(filename, frame.line, None, None, None), values)
    return Found(code, None, values)


def values_of(captured: Mapping[str, str]) -> dict[str, Value]:
    """Return the counts, shapes and names in an error's message. `function` is the Function from whose name a node's name was made."""
    values = {name: value_of(text) for name, text in captured.items()}
    name = captured.get("name") or captured.get("function", "").removesuffix("Backward")
    others = {key: value for key, value in values.items() if key not in ("name", "function")}
    return {**others, **({"function": name_in(name)} if name else {})}


def value_of(text: str) -> Value:
    if _SHAPE.fullmatch(text):
        return [int(size) for size in text[1:-1].split(", ") if size]
    return int(text) if text.isascii() and text.isdecimal() else name_in(text)


def _number_in(message: str) -> int | None:
    found = _INDEX.search(message)
    return int(found[1]) if found else None
