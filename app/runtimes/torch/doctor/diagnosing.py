"""Puts together what was found in a program: each mistake once. Runs in the child."""

from collections.abc import Container, Iterable

from app.pitfalls.syntax.stated_intent import intended_classes
from app.runtimes.positions import Sources
from app.runtimes.torch.doctor.found import Found

SECOND_ORDER = {"intermediate-saved", "detached-backward", "detached-saved", "wrong-second-gradient", "numpy-in-backward"}

OF_GRADIENTS = {
    *("wrong-gradient", "wrong-sign", "wrong-factor", "missing-term", "missing-sum", "mean-for-sum", "transposed-gradient"),
    *("zero-gradient", "gradients-swapped", "nonlinear-in-grad-output", "ignores-grad-output", "below-tolerance"),
    *("wrong-second-gradient", "not-deterministic", "option-ignored-in-backward", "accumulation-lost", "conjugate-missing"),
    *("wrong-name", "wrong-index", "wrong-constant", "parts-swapped"),
}
"""Claims that a gradient is not the derivative of forward."""
OF_A_BACKWARD = {"not-deterministic"}  # of all of it, wherever that was seen


def acknowledge(found: Iterable[Found], sources: Sources) -> None:
    """Make hints of all claims about gradients of a Function that says in a comment or a docstring that they are not derivatives."""
    acknowledged = set[str]().union(*(intended_classes(text) for _, text in sources.texts()))
    for each in found:
        if each.code in OF_GRADIENTS and each.function.rpartition(".")[2] in acknowledged:
            each.severity = "hint"


def soften(found: Iterable[Found], twice: Container[str]) -> None:
    """Make hints of what only second derivatives lack, unless they are used. `twice`: names of Functions through which they are."""
    for each in found:
        if each.code in SECOND_ORDER and each.function not in twice:
            each.severity = "hint"


def merge(found: Iterable[Found]) -> list[Found]:
    """Return each mistake once, with all that shows it, in the order in which the mistakes were found first.

    What is of the same code and Function is the same mistake if it is in the same place, or about the same name, or if one of the two
    does not say where it is.
    """
    merged: list[Found] = []
    for each in found:
        same = next((other for other in merged if is_same(other, each)), None)
        if same is None:
            merged.append(each)
            continue
        same.span = same.span or each.span
        same.values = {**each.values, **same.values}
        same.places = {**each.places, **same.places}
        same.evidence = list(dict.fromkeys([*same.evidence, *each.evidence]))
    return merged


def without_consequences(found: list[Found]) -> list[Found]:
    """Leave out that a gradient is wrong where it is known that it is not linear in the incoming gradient."""
    lines = {(each.function, each.span.line) for each in found if each.code == "nonlinear-in-grad-output" and each.span is not None}
    return [each for each in found if each.code != "wrong-gradient" or each.span is None or (each.function, each.span.line) not in lines]


def is_known(found: Found, others: Iterable[Found]) -> bool:
    """Return whether the same mistake of the same Function, if it is about one, has been found already."""
    return any(each.code == found.code and (each.function == found.function or not each.function or not found.function) for each in others)


def is_same(one: Found, other: Found) -> bool:
    if one.code != other.code or (one.function != other.function and one.function and other.function):
        return False
    if one.span is None or other.span is None:
        return one.values.get("input") == other.values.get("input") or "name" in one.values or "name" in other.values
    on_one_line = (one.span.cell, one.span.line) == (other.span.cell, other.span.line)
    if one.code in OF_A_BACKWARD and one.function:
        return True
    names = {each.values["name"] for each in (one, other) if "name" in each.values}
    return one.span == other.span or (on_one_line and len(names) < 2)
