"""Probes the first-order gradients: finds what is wrong with them, or for what purpose they may differ."""

from dataclasses import asdict
from typing import Any

import torch

from app.probes.calls.prepared_call import ApplyCall, Incoming, PreparedCall, can_need
from app.probes.causes.find_fault import find_faults
from app.probes.conditions.options import ignored_option
from app.probes.conditions.types import other_shape
from app.probes.gradients.gradient import DrawComparison, compare, find_wrong
from app.probes.gradients.intended import OF_UNUSED, SURROGATE, intended_code
from app.probes.gradients.kink import ATOL, RTOL
from app.probes.gradients.lost_uses import is_use_lost
from app.probes.gradients.tangent import is_tangent
from app.probes.observation import Observation, Value
from app.probes.probed_call import NotJudged, ProbedCall
from app.probes.reference.real_view import real_vector
from app.probes.reference.reference import GradientReference
from app.probes.time_limit import OutOfTime, TimeLimit
from app.probes.wrong_gradient import WrongGradient

SECONDS_A_FAULT = 1.0


def probe_gradient(examined: ProbedCall, linear: list[Observation]) -> list[Observation]:
    """Probe the gradients. `linear`: what was observed about their linearity.

    Raises NotJudged, OutOfTime, and what the Function raises.
    """
    reference = examined.reference
    if reference is None:
        raise NotJudged("the Function does not run in double precision")
    comparisons = compare(examined.prepared, reference, examined.deadline)
    if not any(bool(real_vector(draw.expected).isfinite().any()) for each in comparisons for draw in each.draws):
        raise NotJudged("there is no reference")
    wrong = [(each, found) for each in comparisons if each.wrong and (found := find_wrong(each, reference)) is not None]
    reference.tangent |= {each.input for each, _ in wrong if is_tangent(reference, each)}
    wrong = [(each, found) for each, found in wrong if each.input not in reference.tangent]
    if reference.tangent and not wrong:
        raise NotJudged("the gradient is that of a motion on a group")
    hints = [(each, found, intended_code(reference, each)) for each, found in wrong]
    if any(hint is None for _, _, hint in hints):  # this one may have been given the gradient of another input
        hints = [(each, found, None if hint is not None and hint[0] == OF_UNUSED else hint) for each, found, hint in hints]
    surrogate = next(((found, hint) for _, found, hint in hints if hint is not None and hint[0] == SURROGATE), None)
    if surrogate is not None:  # where forward is a step function, a gradient may differ from that of forward
        return [hint_of(examined, *surrogate)]
    is_linear = all(each.code != "nonlinear-in-grad-output" for each in linear)
    observations = [hint_of(examined, found, hint) for _, found, hint in hints if hint is not None]
    faults = [(each, found) for each, found, hint in hints if hint is None and (is_linear or not each.drawn[found.shown].dense)]
    simple = [simple_fault(examined, reference, *each) for each in faults]
    placed = find_causes(examined, [wrong for (_, wrong), observed in zip(faults, simple, strict=True) if observed is not None])
    observations += [each._replace(place=placed[0].place if placed else None) for each in simple if each is not None]
    rest = [fault for fault, observed in zip(faults, simple, strict=True) if observed is None]
    ignored = {each.values["input"] for each in linear if each.code == "ignores-grad-output"}
    causes = find_causes(examined, [wrong for _, wrong in rest])
    option = ignored_option(examined) if any(each.code == "wrong-gradient" for each in causes) else None
    if option is not None:
        values = {**causes[0].values, "option": option}
        return [*observations, causes[0]._replace(code="option-ignored-in-backward", values=values)]
    for each in causes:
        code = "ignores-grad-output" if each.code == "wrong-gradient" and each.values["input"] in ignored else each.code
        observations.append(named(refined(examined, rest, each._replace(code=code))))
    return observations


def named(observation: Observation) -> Observation:
    """Return the observation with the code of its repair's cause, if nothing more specific is known about the gradient."""
    values = dict(observation.values)
    is_open = observation.code == "wrong-gradient" or (observation.code == "wrong-factor" and "factor" not in values)
    if observation.code == "below-tolerance" or "cause" not in values:
        return observation
    cause = str(values.pop("cause"))
    return observation._replace(code=cause if is_open else observation.code, values=values)


def hint_of(examined: ProbedCall, wrong: WrongGradient, hint: tuple[str, float | None]) -> Observation:
    code, factor = hint
    values = values_of(examined, wrong)
    return examined.observe(code, **values, **({} if factor is None else {"factor": factor}))


def values_of(examined: ProbedCall, wrong: WrongGradient) -> dict[str, Value]:
    values: dict[str, Value] = {"input": examined.native.name_of(wrong.input), **asdict(wrong.worst)}
    return values if wrong.output is None else {**values, "output": wrong.output}


def simple_fault(
    examined: ProbedCall, reference: GradientReference, comparison: DrawComparison, wrong: WrongGradient
) -> Observation | None:
    """Return a fault that shows without the source: an input whose flag is not read, or an output whose gradient is not used."""
    if is_right_if_all_need(examined, wrong.input):
        return examined.observe("needs-input-grad-ignored", **values_of(examined, wrong))
    if is_output_ignored(reference, comparison):
        return examined.observe("auxiliary-output-unmarked", **values_of(examined, wrong))
    return None


def find_causes(examined: ProbedCall, wrong: list[WrongGradient]) -> list[Observation]:
    """Return one observation for each fault. A fault may make several gradients wrong."""
    if not wrong:
        return []
    deadline = TimeLimit(min(SECONDS_A_FAULT * len(wrong), examined.deadline.left / 2))

    def right_gradients(arguments: tuple[Any, ...], incoming: Incoming) -> dict[int, torch.Tensor]:
        call = ApplyCall(examined.prepared.function, arguments)
        return GradientReference(PreparedCall(call, double=True), examined.deadline).gradients(incoming)

    found = find_faults(examined.prepared.call, wrong, right_gradients, examined.read_source, deadline.left)
    return found or [examined.observe("wrong-gradient", **values_of(examined, each)) for each in wrong]


def refined(examined: ProbedCall, faults: list[tuple[DrawComparison, WrongGradient]], observation: Observation) -> Observation:
    """Return the observation with a more specific code, if autograd summed the gradient to a shape, or gradcheck tolerates the fault."""
    for comparison, wrong in faults:
        values = values_of(examined, wrong)
        if values["input"] != observation.values.get("input"):
            continue
        values |= observation.values
        if observation.code == "wrong-gradient" and examined.reference is not None and is_use_lost(examined.reference, wrong):
            observation = observation._replace(code="missing-term")
        shapes = other_shape(examined, wrong.input)
        if shapes is not None:
            return observation._replace(code="wrong-shape", values={**values, "shape": shapes[0], "other_shape": shapes[1]})
        if passes_gradcheck(comparison):
            return observation._replace(code="below-tolerance", values={**values, "cause": observation.code})
    return observation


def is_right_if_all_need(examined: ProbedCall, place: int) -> bool:
    """Return whether the gradient becomes right once every argument that can need a gradient needs one."""
    arguments = examined.prepared.arguments
    able = [each for each, argument in enumerate(arguments) if isinstance(argument, torch.Tensor) and can_need(argument)]
    if set(able) <= set(examined.prepared.inputs):
        return False
    try:
        prepared = examined.prepared.needing_only(able)
        reference = GradientReference(prepared, examined.deadline)
        return all(not each.wrong for each in compare(prepared, reference, examined.deadline) if each.input == place)
    except OutOfTime:
        raise
    except (Exception, SystemExit):
        return False


def is_output_ignored(reference: GradientReference, comparison: DrawComparison) -> bool:
    """Return whether backward returns zeros for one of several outputs, and the right gradients for the others."""
    if len(reference.applied.differentiable) < 2 or len(comparison.wrong_outputs) != 1:
        return False
    alone = [draw for each, draw in zip(comparison.drawn, comparison.draws, strict=True) if each.output in comparison.wrong_outputs]
    return all(not bool(draw.got.any()) for draw in alone)


def passes_gradcheck(comparison: DrawComparison) -> bool:
    pairs = [(real_vector(each.got), real_vector(each.expected)) for each in comparison.draws]
    return all(torch.allclose(*each, rtol=RTOL, atol=ATOL) for each in pairs)
