"""Whether backward takes notice of the arguments that are no tensors: right at the values given, is it right at others?"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import torch

from app.probes.draws import all_draws
from app.probes.gradient import compare, find_wrong
from app.probes.intended import intended_code
from app.probes.observation import Observation
from app.probes.prepared_call import PreparedCall, forward_parameters
from app.probes.probed_call import ProbedCall
from app.probes.real_view import real_vector
from app.probes.reference import GradientReference
from app.probes.time_limit import OutOfTime
from app.probes.wrong_gradient import WrongGradient

DENSE_DRAWS = 5
LEAST = 0.05  # of the larger: an iteration with one step less may have converged less


def probe_options(examined: ProbedCall) -> list[Observation]:
    """The gradient has to be right at the values given."""
    if examined.reference is None:
        return []
    prepared = with_defaults(examined.prepared)
    for place, value in enumerate(prepared.arguments):
        for other in other_values(value):
            examined.deadline.check()
            found = wrong_at(examined, prepared.with_arguments([*prepared.arguments[:place], other, *prepared.arguments[place + 1 :]]))
            if found is not None:
                option = prepared.name_of(place)
                return [found._replace(values={**found.values, "option": option, "name": f"{option}={other!r}"})]
    return []


def with_defaults(prepared: PreparedCall) -> PreparedCall:
    """Return the call with its default arguments written out, if the Function accepts that."""
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
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, float) and value - value == 0:
        yield from (1.7 * value, 0.6 * value) if value else (0.5, -0.5)


def wrong_at(examined: ProbedCall, prepared: PreparedCall) -> Observation | None:
    """Return what is wrong at other arguments. None also if the Function refuses them, or if they change nothing of what forward does."""
    try:
        reference = GradientReference(prepared, examined.deadline)
        if not is_affected(examined, reference):
            return None
        drawn = [each for each in all_draws(reference.applied) if each.dense][:DENSE_DRAWS]
        for comparison in compare(prepared, reference, examined.deadline, drawn):
            wrong = find_wrong(comparison, reference) if comparison.wrong else None
            if wrong is not None and is_far(wrong) and intended_code(reference, comparison) is None:
                return examined.observe("option-ignored-in-backward", input=prepared.name_of(wrong.input), **asdict(wrong.worst))
    except OutOfTime:
        raise
    except (Exception, SystemExit):
        return None
    return None


def is_far(wrong: WrongGradient) -> bool:
    return abs(wrong.worst.expected - wrong.worst.got) > LEAST * max(abs(wrong.worst.expected), abs(wrong.worst.got))


def is_affected(examined: ProbedCall, reference: GradientReference) -> bool:
    if examined.reference is None:
        return False
    before, after = (each.applied.differentiable_outputs() for each in (examined.reference, reference))
    return len(before) != len(after) or any(
        one.shape != other.shape or not torch.equal(real_vector(one), real_vector(other)) for one, other in zip(before, after, strict=False)
    )
