"""Combines what was found in a program, so that each mistake is reported once. Runs in the child."""

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
OF_A_BACKWARD = {"not-deterministic"}  # codes about the whole backward, wherever the mistake was seen


def acknowledge(found: Iterable[Found], sources: Sources) -> None:
    """Turn claims about the gradients of a Function into hints if a comment or docstring says that they are not derivatives."""
    acknowledged = set[str]().union(*(intended_classes(text) for _, text in sources.texts()))
    for each in found:
        if each.code in OF_GRADIENTS and each.function.rpartition(".")[2] in acknowledged:
            each.severity = "hint"


def soften(found: Iterable[Found], twice: Container[str]) -> None:
    """Turn what only second derivatives lack into hints, unless they are used.

    `twice`: the names of Functions whose second derivatives are used.
    """
    for each in found:
        if each.code in SECOND_ORDER and each.function not in twice:
            each.severity = "hint"


def merge(found: Iterable[Found]) -> list[Found]:
    """Return each mistake once, with all its evidence, in the order in which the mistakes were first found.

    Two findings with the same code and Function are the same mistake if they are in the same place, or about the same name, or if one of
    them has no place.
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
    """Leave out findings of a wrong gradient where the gradient is known not to be linear in the incoming gradient."""
    lines = {(each.function, each.span.line) for each in found if each.code == "nonlinear-in-grad-output" and each.span is not None}
    return [each for each in found if each.code != "wrong-gradient" or each.span is None or (each.function, each.span.line) not in lines]


def is_known(found: Found, others: Iterable[Found]) -> bool:
    """Return whether the same mistake was found before in the same Function. A finding about no Function matches any."""
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
