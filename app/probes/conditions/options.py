"""Probes whether backward uses the arguments that are no tensors: is it right at other values of them, too?"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Literal

import torch

from app.probes.calls.prepared_call import PreparedCall, forward_parameters
from app.probes.causes.matrices import find_relation
from app.probes.gradients.gradient import DrawComparison, compare, find_wrong
from app.probes.gradients.intended import intended_code
from app.probes.observation import Observation
from app.probes.probed_call import ProbedCall
from app.probes.reference.draws import IncomingDraw, all_draws
from app.probes.reference.real_view import real_vector
from app.probes.reference.reference import GradientReference
from app.probes.time_limit import OutOfTime
from app.probes.wrong_gradient import WrongGradient

DENSE_DRAWS = 5
LEAST = 0.05  # the least difference, relative to the larger value: an iteration with one step less may have converged less


def probe_options(examined: ProbedCall) -> list[Observation]:
    """Probe other values of the options. The gradient must be right at the given values."""
    if examined.reference is None or examined.reference.tangent:
        return []
    prepared = with_defaults(examined.prepared)
    for place, value in enumerate(prepared.arguments):
        found = [(other, wrong_at(examined, replaced(prepared, place, other))) for other in other_values(value)]
        judged = [(other, each) for other, each in found if each != "refused"]
        # some values may make no sense, such as a probability of 1.3; a backward that is wrong at all of them ignores the option
        wrong = [(other, each) for other, each in judged if isinstance(each, Observation)]
        if wrong and len(wrong) == len(judged):
            other, observation = wrong[0]
            option = prepared.name_of(place)
            values = {**observation.values, "option": option, "name": f"{option}={other!r}"}
            return [observation._replace(values=values)]
    return []


def replaced(prepared: PreparedCall, place: int, value: Any) -> PreparedCall:
    return prepared.with_arguments([*prepared.arguments[:place], value, *prepared.arguments[place + 1 :]])


def with_defaults(prepared: PreparedCall) -> PreparedCall:
    """Return the call with its default arguments given explicitly, if the Function accepts that."""
    try:
        missing = forward_parameters(prepared.function)[len(prepared.arguments) :]
        if not missing or any(each.default is each.empty or each.kind is not each.POSITIONAL_OR_KEYWORD for each in missing):
            return prepared
        complete = prepared.with_arguments([*prepared.arguments, *(each.default for each in missing)])
        applied = complete.apply()
        applied.gradients(applied.zeros())
    except (Exception, SystemExit):
        return prepared
    return complete


def other_values(value: Any) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case float() if value - value == 0:
            yield from (1.3 * value, 0.75 * value) if value else (0.3, 0.1)


def wrong_at(examined: ProbedCall, prepared: PreparedCall) -> Observation | Literal["right", "refused"]:
    """Return what is wrong with the gradient at other arguments. Refused: the Function raises, or forward does the same as before."""
    examined.deadline.check()
    try:
        reference = GradientReference(prepared, examined.deadline)
        if not is_affected(examined, reference):
            return "refused"
        drawn = [each for each in all_draws(reference.applied) if each.dense][:DENSE_DRAWS]
        for comparison in compare(prepared, reference, examined.deadline, drawn):
            wrong = find_wrong(comparison, reference) if comparison.wrong else None
            is_wrong = wrong is not None and is_far(wrong) and intended_code(reference, comparison) is None
            if wrong is not None and is_wrong and (is_unchanged(examined, comparison) or is_scaled(comparison)):
                return examined.observe("option-ignored-in-backward", input=prepared.name_of(wrong.input), **asdict(wrong.worst))
    except OutOfTime:
        raise
    except (Exception, SystemExit):
        return "refused"
    return "right"


def ignored_option(examined: ProbedCall) -> str | None:
    """Return the option that backward ignores, for a gradient that is wrong; None if there is none.

    At another value of the option, backward returns the same gradient as before, and that is right.
    """
    prepared = examined.prepared
    drawn = [each for each in all_draws(prepared.apply()) if each.dense][:DENSE_DRAWS]
    for place, value in enumerate(prepared.arguments):
        for other in (*other_values(value), *([1.0] if isinstance(value, float) else [])):
            if is_same_and_right(examined, drawn, replaced(prepared, place, other)):
                return prepared.name_of(place)
    return None


def is_same_and_right(examined: ProbedCall, drawn: list[IncomingDraw], prepared: PreparedCall) -> bool:
    try:
        reference = GradientReference(prepared, examined.deadline)
        if not is_affected(examined, reference):
            return False
        comparisons = compare(prepared, reference, examined.deadline, drawn)
        before = [examined.prepared.apply().gradients(each.grads) for each in drawn]
    except OutOfTime:
        raise
    except (Exception, SystemExit):
        return False
    after = [{each.input: each.draws[number].got for each in comparisons} for number in range(len(drawn))]
    is_right = all(not each.wrong and any(bool(draw.got.any()) for draw in each.draws) for each in comparisons)
    return is_right and all(not examined.apart(one, other) for one, other in zip(before, after, strict=True))


def is_unchanged(examined: ProbedCall, comparison: DrawComparison) -> bool:
    """Return whether backward returns the same gradient as at the option's own value. If it ignores the option, it does.

    If not, another argument may no longer fit the option, such as an index that was computed for it.
    """
    applied = examined.prepared.apply()
    for drawn, draw in zip(comparison.drawn, comparison.draws, strict=True):
        if [like(each) for each in drawn.grads] != [like(applied.outputs[place]) for place in range(len(drawn.grads))]:
            return False
        before = examined.prepared.apply().gradients([None if each is None else each.clone() for each in drawn.grads])
        if examined.apart({comparison.input: draw.got}, before):
            return False
    return True


def is_scaled(comparison: DrawComparison) -> bool:
    """Return whether the gradient is a multiple of the right one. This also happens if a random mask depends on the option."""
    relation = find_relation(comparison.draws)
    return relation is not None and relation.code == "wrong-factor"


def like(value: Any) -> torch.Size | None:
    return value.shape if isinstance(value, torch.Tensor) else None


def is_far(wrong: WrongGradient) -> bool:
    return abs(wrong.worst.expected - wrong.worst.got) > LEAST * max(abs(wrong.worst.expected), abs(wrong.worst.got))


def is_affected(examined: ProbedCall, reference: GradientReference) -> bool:
    if examined.reference is None:
        return False
    before, after = (each.applied.differentiable_outputs() for each in (examined.reference, reference))
    return len(before) != len(after) or any(
        one.shape != other.shape or not torch.equal(real_vector(one), real_vector(other)) for one, other in zip(before, after, strict=False)
    )
