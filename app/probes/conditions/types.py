"""Probes whether backward computes in the precision of its inputs."""

import torch

from app.probes.calls.watched import BackwardRun, watched
from app.probes.causes.lower_precision import find_lower_precision
from app.probes.observation import Observation
from app.probes.probed_call import NotJudged, ProbedCall
from app.probes.reference.draws import dense_draw

DOUBLES = torch.float64, torch.complex128
LESS = torch.float32, torch.float16, torch.bfloat16, torch.complex64


def probe_types(examined: ProbedCall) -> list[Observation]:
    """Probe the call as the program made it, because single precision may be intended there."""
    run = run_backward(examined)
    for place in examined.native.inputs:
        grad, argument = run.returned[place] if place < len(run.returned) else None, examined.native.arguments[place]
        if isinstance(grad, torch.Tensor) and argument.dtype in DOUBLES and grad.dtype in LESS:
            values = {"dtype": name_of(argument.dtype), "other_dtype": name_of(grad.dtype)}
            observation = examined.observe("wrong-dtype", input=examined.native.name_of(place), **values)
            incoming = tuple(None if each is None else each.tensor for each in run.incoming)
            return [observation._replace(place=find_lower_precision(examined.native.call, incoming, examined.read_source))]
    return []


def run_backward(examined: ProbedCall) -> BackwardRun:
    """Return what the backward of the native call gets and returns."""
    runs: list[BackwardRun] = []
    applied = examined.native.with_function(watched(examined.native.function, runs)).apply()
    applied.gradients(dense_draw(applied, torch.Generator().manual_seed(23)).grads)
    if not runs:
        raise NotJudged("backward did not run")
    return runs[0]


def other_shape(examined: ProbedCall, place: int) -> tuple[list[int], list[int]] | None:
    """Return the shape of an input and the shape of the gradient that backward returns, if autograd sums the latter to the former."""
    run, argument = run_backward(examined), examined.native.arguments[place]
    grad = run.returned[place] if place < len(run.returned) else None
    if isinstance(grad, torch.Tensor) and grad.numel() != argument.numel():
        return list(argument.shape), list(grad.shape)
    return None


def name_of(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
