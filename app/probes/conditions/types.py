"""Probes whether backward computes in the precision of its inputs, and finds the statement after which it does not."""

from typing import Any

import torch

from app.probes.calls.prepared_call import ApplyCall, ReadSource
from app.probes.calls.watched import BackwardRun, watched
from app.probes.causes.find_fault import dtype_name
from app.probes.causes.notes import find_statement
from app.probes.causes.trials import Incoming
from app.probes.observation import FilePlace, Observation
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
            values = {"dtype": dtype_name(argument.dtype), "other_dtype": dtype_name(grad.dtype)}
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


def find_lower_precision(call: ApplyCall, incoming: Incoming, read_source: ReadSource) -> FilePlace | None:
    """Return the first statement that gives a name a tensor of less than double precision, when the call is made in double precision."""

    def has_lower(values: dict[str, Any]) -> bool:
        return any(isinstance(each, torch.Tensor) and each.dtype in LESS for each in values.values())

    return find_statement(call, incoming, read_source, has_lower)
