"""Recognises gradients that seem to differ from those of forward on purpose: those of an identity, a step or a clamp."""

from typing import NamedTuple

import torch

from app.probes.calls.prepared_call import PreparedCall
from app.probes.causes.trials import fresh_arguments
from app.probes.gradients.gradient import DrawComparison, scale_of
from app.probes.reference.real_view import length, real_vector
from app.probes.reference.reference import GradientReference

SURROGATE = "surrogate-gradient"
OF_UNUSED = "gradient-of-unused"
MOST_MOVING = 0.34  # the largest share of a quantised tensor's entries that may have a derivative: those from which its scales are made
MOVES = 0.3, 1.0, 3.0  # parts of an input's size by which it is moved to see whether the outputs depend on it


class Pair(NamedTuple):
    """An input and one output. For each draw: the incoming gradient, the expected gradient and backward's own, as real vectors."""

    argument: torch.Tensor
    output: torch.Tensor
    incoming: list[torch.Tensor]
    expected: list[torch.Tensor]
    got: list[torch.Tensor]


def intended_code(reference: GradientReference, comparison: DrawComparison) -> tuple[str, float | None] | None:
    """Return the code of the intention and its factor, if every output that alone gives a wrong gradient shows one; else None."""
    if is_stopped(reference, comparison):
        return "stopped-gradient", None
    if is_unused(reference, comparison):
        return OF_UNUSED, None
    outputs = sorted(comparison.wrong_outputs or reference.applied.differentiable)
    found = [intention(reference, comparison, output) for output in outputs]
    return found[0] if found and all(each is not None for each in found) else None


def is_stopped(reference: GradientReference, comparison: DrawComparison) -> bool:
    """Return whether backward returns what autograd would return for forward with its own `detach` and `no_grad`."""
    if reference.stopped is None:
        return False
    expected = (reference.stopped.gradients(draw.incoming)[comparison.input] for draw in comparison.draws)
    pairs = [(real_vector(each), real_vector(draw.got)) for each, draw in zip(expected, comparison.draws, strict=True)]
    return any(bool(got.any()) for _, got in pairs) and all(torch.allclose(one, got, rtol=1e-6, atol=1e-9) for one, got in pairs)


def is_unused(reference: GradientReference, comparison: DrawComparison) -> bool:
    """Return whether no output depends on the input. Then backward adds a loss, or returns the gradient of another input in this place."""
    expected = [real_vector(each.expected) for each in comparison.draws]
    if any(bool(each[each.isfinite()].any()) or not bool(each.isfinite().any()) for each in expected):
        return False
    differences = reference.differences(comparison.input)
    return not any(bool(differences.moves(amount).any()) for amount in MOVES)


def intention(reference: GradientReference, comparison: DrawComparison, output: int) -> tuple[str, float | None] | None:
    pair = pair_of(reference, comparison, output)
    if not pair.got:
        return None
    same = is_identity(pair.argument, pair.output) and moves_as_input(pair)
    if same and is_identity_elsewhere(reference.prepared, comparison.input, output):
        return of_identity(pair)
    if is_step(reference, comparison, output, pair) or is_clamp(pair):
        return SURROGATE, None
    if reference.steps and (passes_through(pair) or is_mostly_steps(pair)):
        return SURROGATE, None
    return None


def pair_of(reference: GradientReference, comparison: DrawComparison, output: int) -> Pair:
    is_only = len(reference.applied.differentiable) == 1
    numbers = [number for number, each in enumerate(comparison.drawn) if each.output == output or (each.output is None and is_only)]
    draws = [comparison.draws[number] for number in numbers]
    incoming = [real_vector(grad) for each in draws if (grad := each.incoming[output]) is not None]
    argument = reference.prepared.arguments[comparison.input]
    value = reference.applied.outputs[output]
    return Pair(argument, value, incoming, [real_vector(each.expected) for each in draws], [real_vector(each.got) for each in draws])


def is_identity(argument: torch.Tensor, output: torch.Tensor) -> bool:
    if argument.numel() != output.numel() or argument.dtype != output.dtype:
        return False
    return torch.allclose(real_vector(argument), real_vector(output), rtol=1e-6, atol=1e-9)


def moves_as_input(pair: Pair) -> bool:
    """Return whether the right gradient, where it is known, is the incoming one.

    Zeros do not count, because they may be equal by chance.
    """
    pairs = [(grad, expected, expected.isfinite()) for grad, expected in zip(pair.incoming, pair.expected, strict=True)]
    return all(torch.allclose(grad[known], expected[known], rtol=1e-4, atol=1e-7) for grad, expected, known in pairs)


def is_identity_elsewhere(prepared: PreparedCall, place: int, output: int) -> bool:
    """Return whether the output is the input for other values of all inputs, too. Otherwise it may have been multiplied by ones."""
    arguments = fresh_arguments(prepared.arguments, torch.Generator().manual_seed(43))
    try:
        found = prepared.with_arguments(arguments).apply().outputs[output]
    except (Exception, SystemExit):  # forward may refuse other arguments
        return True
    return is_identity(arguments[place], found)


def of_identity(pair: Pair) -> tuple[str, float | None]:
    factor = factor_of(pair)
    if factor is not None:
        return ("stopped-gradient", 0.0) if factor == 0 else ("reversed-gradient" if factor < 0 else "scaled-gradient", factor)
    return (SURROGATE, None) if adds_constant(pair) or is_additive(pair) else ("clipped-gradient", None)


def factor_of(pair: Pair) -> float | None:
    """Return the number by which backward multiplies every incoming gradient; None if there is none."""
    grads, got = torch.cat(pair.incoming), torch.cat(pair.got)
    factor = float((grads @ got) / (grads @ grads))
    return factor if torch.allclose(got, factor * grads, rtol=1e-6, atol=1e-9) else None


def adds_constant(pair: Pair) -> bool:
    """Return whether backward adds the same tensor to every incoming gradient, as a penalty does."""
    added = torch.stack(pair.got) - torch.stack(pair.incoming)
    return torch.allclose(added, added[0].expand_as(added), rtol=1e-6, atol=1e-9)


def is_additive(pair: Pair) -> bool:
    """Return whether the gradient of a dense draw is the sum of the gradients of its one-hot parts, where all of them were drawn."""
    one_hot = {int(each.abs().argmax()): got for each, got in zip(pair.incoming, pair.got, strict=True) if int((each != 0).sum()) == 1}
    for grad, got in zip(pair.incoming, pair.got, strict=True):
        if len(one_hot) == grad.numel() > 1:
            parts = torch.stack([grad[place] * one_hot[place] for place in range(grad.numel())]).sum(0)
            if not torch.allclose(parts, got, rtol=1e-6, atol=1e-9):
                return False
    return bool(one_hot) and len(one_hot) == pair.incoming[0].numel()


def is_step(reference: GradientReference, comparison: DrawComparison, output: int, pair: Pair) -> bool:
    """Return whether the output is constant around the input, but not far from it: it was rounded, compared, or chosen by an index."""
    given = max(float(each.abs().max()) if each.numel() else 0.0 for each in pair.got)
    expected = max(
        (scale_of(each) for number, each in enumerate(comparison.draws) if comparison.drawn[number].output == output), default=0.0
    )
    if expected > 1e-6 * given:
        return False
    differences = reference.differences(comparison.input)
    start = sum(length(reference.applied.outputs[place]) for place in reference.applied.differentiable if place < output)
    mine = slice(start, start + length(pair.output))
    return any(bool((differences.moves(amount)[mine] > 1e-9).any()) for amount in MOVES)


def is_clamp(pair: Pair) -> bool:
    """Return whether forward passes some entries and makes others constant, while backward passes all.

    Where all of these are zero, a mask may have been forgotten, as that of a ReLU. Zeros are taken as intended if the entries of small size
    became zero, both positive and negative ones, as in pruning.
    """
    factor = factor_of(pair) if pair.argument.shape == pair.output.shape else None
    if factor is None or not abs(factor - 1) < 1e-6:
        return False
    argument, output = real_vector(pair.argument), real_vector(pair.output)
    passed = torch.isclose(argument, output, rtol=1e-9, atol=1e-12)
    rest = ~passed
    if not bool(rest.any()) or len(set(output[rest].tolist())) > 2:
        return False
    if bool((output[rest] != 0).any()):
        return True
    has_both_signs = bool((argument[rest] > 0).any()) and bool((argument[rest] < 0).any())
    return has_both_signs and bool(passed.any()) and float(argument[rest].abs().max()) <= float(argument[passed].abs().min())


def passes_through(pair: Pair) -> bool:
    """Return whether all outputs have the same size, as in a binarised layer whose values have a common scale."""
    sizes = real_vector(pair.output).abs()
    sizes = sizes[sizes > 0]
    return len(sizes) >= 2 and torch.allclose(sizes, sizes[0]) and passes_or_leaves_out(pair)


def is_mostly_steps(pair: Pair) -> bool:
    """Return whether few entries have a derivative, as the scale by which all are quantised, and backward passes most entries."""
    entries = torch.stack(pair.expected)
    known = entries.isfinite().all(0)
    largest = max(float(each.abs().max()) for each in pair.incoming)
    moving = (entries[:, known].abs() > 1e-6 * largest).any(0)
    return bool(known.any()) and float(moving.double().mean()) <= MOST_MOVING and passes_or_leaves_out(pair)


def passes_or_leaves_out(pair: Pair) -> bool:
    """Return whether backward returns each entry of the incoming gradient unchanged or as zero, and does the same in all draws."""
    if pair.argument.shape != pair.output.shape:
        return False
    grads, got = torch.stack(pair.incoming), torch.stack(pair.got)
    kept = torch.isclose(got, grads, rtol=1e-6, atol=1e-12)
    dense = kept[(grads != 0).all(1)]
    is_same = len(dense) > 0 and bool((dense == dense[0]).all())
    return is_same and bool((kept | (got == 0)).all()) and bool(dense[0].any())
