"""Finds the lines of mistakes that the probes observed. Runs in the child."""

from collections.abc import Iterable

from app.pitfalls.finding import Place
from app.pitfalls.syntax.places import FunctionPlaces
from app.runtimes.positions import Sources
from app.runtimes.torch.doctor.found import Found, Value, name_in

# Codes of mistakes to be shown where backward returns a gradient, where it uses the incoming gradient, and in the heading of a method. All
# other codes are about the gradient of an input, and are shown where that was last computed.
_RETURNED = {
    *("wrong-shape", "surrogate-gradient", "clipped-gradient", "reversed-gradient", "scaled-gradient", "stopped-gradient"),
    "gradient-of-unused",
}
_INCOMING = {"nonlinear-in-grad-output", "assumes-contiguous", "grad-output-mutated", "not-deterministic"}
_HEADINGS = {"auxiliary-output-unmarked": "backward", "tensors-in-container": "forward", "forward-returns-container": "forward"}


def locate_all(found: Iterable[Found], sources: Sources) -> None:
    """Set the span of each mistake that has none and is about a Function of the program."""
    without = [each for each in found if each.span is None and each.function]
    if not without:
        return
    for filename, text in sources.texts():
        places = FunctionPlaces.read(text)
        for each in without if places else []:
            if each.span is None and places:
                if each.code == "intermediate-saved":
                    each.values = {**saved_values(each, places), **each.values}
                if place := place_of(each, places):
                    each.span = sources.span(filename, *place)


def saved_values(found: Found, places: FunctionPlaces) -> dict[str, Value]:
    """Return the values that the message about a saved intermediate needs, if only the probes saw this tensor."""
    function, given = found.function, str(found.values.get("input", "_"))
    index = saved_index(found)
    name = name_in(places.saved_expression(function, index), f"saved_tensors[{index}]")
    used = places.saved_use_place(function, index) or places.method_place(function, "backward")
    return {"name": name, "source": given, "gradient": given, "line": used.line if used else 1}


def saved_index(found: Found) -> int:
    index = found.values.get("saved")
    return index if isinstance(index, int) else 0


def place_of(found: Found, places: FunctionPlaces) -> Place | None:
    """Return the place that shows a mistake best; the heading of backward if there is no better one."""
    function, name = found.function, str(found.values.get("name", ""))
    if found.code in _HEADINGS:
        return places.method_place(function, _HEADINGS[found.code])
    if found.code == "intermediate-saved":
        return places.saved_place(function, saved_index(found)) or places.method_place(function, "forward")
    if found.code == "assumes-contiguous" and (strided := places.strided_place(function)):
        return strided
    if found.code == "output-not-marked":
        return places.output_place(function, found.values.get("output")) or places.method_place(function, "forward")
    if found.code in _INCOMING:
        used = (places.naming_place(function, "backward", each) for each in places.incoming_names(function))
        return next((each for each in used if each), None) or places.method_place(function, "backward")
    if found.code == "closure-tensor":
        return places.naming_place(function, "forward", name.partition(".")[0]) or places.naming_place(function, "backward", name)
    parameters, given = places.parameter_names(function), found.values.get("input")
    if found.code == "needs-input-grad-ignored" and given in parameters:
        guard = places.guard_place(function, parameters.index(given))
        if guard is not None:
            return guard
    gradient = places.gradient_place(function, parameters.index(given)) if given in parameters else None
    if gradient is None:
        return places.method_place(function, "backward")
    return gradient.returned if found.code in _RETURNED or gradient.assigned is None else gradient.assigned
