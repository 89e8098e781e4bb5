"""Probes the second order: whether the gradient of a gradient is right, if backward can be differentiated."""

from collections.abc import Sequence
from typing import NamedTuple

import torch

from app.probes.calls.copies import has_gradient
from app.probes.calls.prepared_call import Applied
from app.probes.gradients.gradient import excess, is_confirmed, scale_of, worst_entries
from app.probes.observation import Observation, Value
from app.probes.probed_call import NotJudged, ProbedCall
from app.probes.reference.cuts import CutMode
from app.probes.reference.draws import dense_draw, dense_like
from app.probes.reference.finite_differences import derivative
from app.probes.reference.real_view import from_real_vector, index_of, length, real_vector
from app.probes.reference.reference import SAMPLED, positions
from app.probes.reference.shadow import Shadow, nodes
from app.probes.wrong_gradient import Draw

DRAWS = 2


class Variables(NamedTuple):
    """The variables with respect to which first-order gradients are differentiated: the inputs and the incoming gradients.

    `along`: the weights of `product` for the gradient of each input.
    """

    inputs: dict[int, torch.Tensor]
    incoming: dict[int, torch.Tensor]
    along: dict[int, torch.Tensor]

    @property
    def all(self) -> list[torch.Tensor]:
        return [*self.inputs.values(), *self.incoming.values()]


def probe_second(examined: ProbedCall) -> list[Observation]:
    if examined.reference is None:
        raise NotJudged("not in double")
    if examined.reference.tangent:
        raise NotJudged("the gradient is that of a motion on a group")
    if examined.reference.symmetric:
        raise NotJudged("an input is taken as symmetric")
    generator = torch.Generator().manual_seed(31)
    for _ in range(DRAWS):
        applied = examined.prepared.apply()
        grads = dense_draw(applied, generator).grads
        along = {place: dense_like(leaf, generator) for place, leaf in applied.leaves.items()}
        own = variables(applied, grads, along)
        got = of_function(applied, own)
        shadow = fresh_shadow(examined)
        expected = by_differences(examined, own) if shadow is None else of_shadow(shadow, variables(shadow, grads, along))
        for number, (wanted, found) in enumerate(zip(expected, got, strict=True)):
            position = wrong_entry(examined, own, number, wanted, found)
            if position is not None:
                return [observation(examined, own, number, position, wanted, found)]
    return []


def variables(run: Applied | Shadow, grads: Sequence[torch.Tensor | None], along: dict[int, torch.Tensor]) -> Variables:
    incoming = {place: each.detach().clone().requires_grad_() for place, each in enumerate(grads) if each is not None}
    return Variables(run.leaves, incoming, along)


def product(grads: Sequence[torch.Tensor | None], along: dict[int, torch.Tensor]) -> torch.Tensor:
    """Return the sum of the products of the gradients and fixed weights: a number whose derivatives are compared."""
    pairs = zip(grads, along.values(), strict=True)
    return sum(((grad * weight.conj()).real.sum() for grad, weight in pairs if grad is not None), torch.zeros((), dtype=torch.float64))


def derivatives(number: torch.Tensor, by: list[torch.Tensor]) -> list[torch.Tensor]:
    if not number.requires_grad:
        return [torch.zeros_like(each) for each in by]
    found = torch.autograd.grad(number, by, retain_graph=True, allow_unused=True)
    return [torch.zeros_like(one) if each is None else each.detach() for one, each in zip(by, found, strict=True)]


def of_function(applied: Applied, by: Variables) -> list[torch.Tensor]:
    """Return the derivatives of `product` by the Function.

    Raises NotJudged if the Function refuses a second derivative: a program that asks for one then gets an error.
    """
    outputs = [applied.outputs[place] for place in by.incoming]
    first = torch.autograd.grad(outputs, list(by.inputs.values()), list(by.incoming.values()), create_graph=True, allow_unused=True)
    if any("Error" in type(node).__name__ or "Error" in node.name() for node in nodes(first)):
        raise NotJudged("once_differentiable")
    return derivatives(product(first, by.along), by.all)


def of_shadow(shadow: Shadow, by: Variables) -> list[torch.Tensor]:
    incoming = [by.incoming.get(place) for place in range(len(shadow.outputs))]
    return derivatives(product(list(shadow.gradients(incoming, create_graph=True).values()), by.along), by.all)


def fresh_shadow(examined: ProbedCall) -> Shadow | None:
    """Return a new shadow; None if there is none or its path may have been cut, which matters to the gradient of a gradient."""
    shadow = None if examined.reference is None else examined.reference.shadow
    return Shadow(examined.prepared) if shadow is not None and not shadow.may_be_cut else None


def own_product(examined: ProbedCall, by: Variables, number: int, values: torch.Tensor) -> torch.Tensor:
    """Return the product of the Function's own first-order gradients for other values of one variable."""
    inputs = list(by.inputs)
    prepared, incoming = examined.prepared, dict(by.incoming)
    if number < len(inputs):
        prepared = prepared.with_value(inputs[number], values)
    else:
        incoming[list(incoming)[number - len(inputs)]] = values
    applied = prepared.apply()
    grads = applied.gradients([incoming[place].detach().clone() if place in incoming else None for place in range(len(applied.outputs))])
    return product(list(grads.values()), by.along).detach().reshape(1)


def by_difference(examined: ProbedCall, by: Variables, number: int, position: int) -> tuple[float, float]:
    """Return one derivative of the product by finite differences, and its error."""
    examined.deadline.check()
    variable = by.all[number]
    at = real_vector(variable)
    direction = torch.zeros_like(at)
    direction[position] = 1

    def values(moved: torch.Tensor) -> torch.Tensor:
        return own_product(examined, by, number, from_real_vector(moved, variable).clone())

    return derivative(values, at, direction, values(at)).times(torch.ones(1, dtype=torch.float64))


def by_differences(examined: ProbedCall, by: Variables) -> list[torch.Tensor]:
    found = []
    for number, variable in enumerate(by.all):
        grads = torch.full((length(variable),), torch.nan, dtype=torch.float64)
        for position in positions(length(variable), SAMPLED):
            value, error = by_difference(examined, by, number, position)
            grads[position] = value if error < torch.inf else torch.nan
        found.append(from_real_vector(grads, variable))
    return found


def wrong_entry(examined: ProbedCall, by: Variables, number: int, expected: torch.Tensor, got: torch.Tensor) -> int | None:
    """Return the position of the worst entry that finite differences confirm to be wrong; None if there is none."""
    draw = Draw((), expected, got)
    suspects = worst_entries(draw, scale_of(draw))
    return next((each for each in suspects if is_confirmed(draw, each, *by_difference(examined, by, number, each))), None)


def observation(examined: ProbedCall, by: Variables, number: int, position: int, expected: torch.Tensor, got: torch.Tensor) -> Observation:
    inputs = list(by.inputs)
    name = examined.native.name_of(inputs[number]) if number < len(inputs) else "grad_output"
    wanted, found = float(real_vector(expected)[position]), float(real_vector(got)[position])
    code, values = cause(examined, by, number, expected)
    return examined.observe(code, input=name, index=index_of(position, expected), expected=wanted, got=found, **values)


def cause(examined: ProbedCall, by: Variables, number: int, expected: torch.Tensor) -> tuple[str, dict[str, Value]]:
    """Return why the second order is wrong: a tensor that forward computed and saved, or a cut in backward.

    The saved tensor is the cause if backward is right once it gets saved tensors that are part of forward's graph.
    """
    mode = CutMode()
    unknown = "wrong-second-gradient"
    try:
        shadow = Shadow(examined.prepared, with_context=True)
        again = variables(shadow, [by.incoming.get(place) for place in range(len(shadow.outputs))], by.along)
        with torch.enable_grad(), mode:
            returned = examined.prepared.function.backward(shadow.ctx, *(again.incoming.get(place) for place in range(len(shadow.outputs))))
        grads = returned if isinstance(returned, tuple) else (returned,)
        got = derivatives(product([grads[place] for place in again.inputs], again.along), again.all)[number]
    except (Exception, SystemExit):  # backward may refuse these tensors
        return "detached-backward" if mode.cuts else unknown, {}
    draw = Draw((), expected, got)
    if not bool((excess(draw, scale_of(draw)) > 1).any()):
        return "intermediate-saved", saved_name(shadow)
    if mode.cuts:
        return "detached-backward", {}
    name = detached_name(examined, shadow)
    return (unknown, {}) if name is None else ("detached-saved", {"name": name})


def detached_name(examined: ProbedCall, shadow: Shadow) -> str | None:
    """Return the name of an input that forward saved without its graph."""
    stored = [each for each in (*shadow.ctx.saved_tensors, *vars(shadow.ctx).values()) if isinstance(each, torch.Tensor)]
    detached = {each.data_ptr() for each in stored if not each.requires_grad and each.numel()}
    given = [place for place, each in enumerate(shadow.given) if has_gradient(each) and each.data_ptr() in detached]
    return examined.native.name_of(given[0]) if given else None


def saved_name(shadow: Shadow) -> dict[str, Value]:
    """Return the name or number under which the first intermediate was saved."""
    known = {id(each) for each in (*shadow.given, *shadow.outputs)}
    stored = [*enumerate(shadow.ctx.saved_tensors), *vars(shadow.ctx).items()]
    intermediate = [key for key, each in stored if has_gradient(each) and id(each) not in known]
    if not intermediate:
        return {}
    return {"saved": intermediate[0]} if isinstance(intermediate[0], int) else {"name": intermediate[0][:100]}
