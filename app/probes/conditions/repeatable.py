"""Probes whether forward with one seed, and backward on one graph, can be repeated, and whether backward changes its inputs."""

import torch

from app.probes.calls.prepared_call import Applied, PreparedCall, seed_all
from app.probes.calls.watched import BackwardRun, watched
from app.probes.causes.changed_tensors import find_changed_tensor
from app.probes.observation import Observation
from app.probes.probed_call import NotJudged, ProbedCall
from app.probes.reference.draws import IncomingDraw, dense_draw
from app.probes.reference.real_view import real_vector


def is_forward_repeatable(prepared: PreparedCall) -> bool:
    first, second = prepared.apply(), prepared.apply()
    return first.differentiable == second.differentiable and all(
        torch.allclose(real_vector(one), real_vector(other), rtol=1e-9, atol=0, equal_nan=True)
        for one, other in zip(first.differentiable_outputs(), second.differentiable_outputs(), strict=True)
    )


def probe_repeatable(examined: ProbedCall) -> list[Observation]:
    """Probe the call, and again in the program's own precision, because a cast makes a copy that hides changes. Raises NotJudged."""
    found = repeated(examined)
    if found or not examined.prepared.in_double:
        return found
    native = examined._replace(prepared=examined.native, reference=None)
    return [each for each in repeated(native) if each.code != "not-deterministic"]


def repeated(examined: ProbedCall) -> list[Observation]:
    runs: list[BackwardRun] = []
    applied = examined.prepared.with_function(watched(examined.prepared.function, runs)).apply()
    draw = dense_draw(applied, torch.Generator().manual_seed(11))
    first = backward(applied, draw, seed=1)
    if not runs:
        raise NotJudged("backward did not run")
    changed = [each for each in runs[0].saved if each.has_new_values]
    is_incoming_changed = any(each is not None and (each.has_new_version or each.has_new_values) for each in runs[0].incoming)
    located = find_changed_tensor(examined.prepared.call, draw.grads, examined.read_source) if changed or is_incoming_changed else None
    found = [place_at(examined.observe("grad-output-mutated"), located)] if is_incoming_changed else []
    try:
        second = backward(applied, draw, seed=2)
    except (Exception, SystemExit) as error:
        if changed:
            return [*found, place_at(examined.observe("saved-tensor-mutated"), located)]
        raise NotJudged(f"backward cannot run twice: {type(error).__name__}") from error
    differing = examined.apart(first, second)
    values = examined.difference(differing[0], first[differing[0]], second[differing[0]]) if differing else {}
    if changed and (differing or any(shares_memory(each.tensor, applied) for each in changed)):
        found.append(place_at(examined.observe("saved-tensor-mutated", **values), located))
    elif differing:
        found.append(examined.observe("not-deterministic", **values))
    return found


def backward(applied: Applied, draw: IncomingDraw, seed: int) -> dict[int, torch.Tensor]:
    seed_all(seed)
    return applied.gradients([None if each is None else each.clone() for each in draw.grads])


def place_at(observation: Observation, located: Observation | None) -> Observation:
    """Return the observation with the place and the names of another one that was located in the source."""
    if located is None or located.code != observation.code:
        return observation
    return located._replace(values={**observation.values, **located.values})


def shares_memory(tensor: torch.Tensor, applied: Applied) -> bool:
    """Return whether the tensor is one of the arguments or outputs, or a view of one."""
    others = [each for each in (*applied.given, *applied.outputs) if isinstance(each, torch.Tensor)]
    return any(each.untyped_storage().data_ptr() == tensor.untyped_storage().data_ptr() for each in others)
