"""Computes the Jacobians of a function of JAX arrays, by differences and by JAX's derivatives of the function. Runs in the child.

A row is an entry of an input, a column one of an output, as in the record. Derivatives are computed one entry at a time, not by vmap as in
jax.jacrev. So the operations have shapes that are compiled already, and a learner's rules need not support batches.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import jax
import numpy
from jax import numpy as jnp

Array = numpy.ndarray[Any, Any]
Function = Callable[..., list[Any]]  # a function of arrays that returns a list of arrays
Place = tuple[int, int]  # output and input


class TooManyEntries(Exception):
    """The Jacobians have more than ENTRIES entries."""


ENTRIES = 65_536  # the most entries of all Jacobians of a call together


def real_leaves(values: Any) -> list[int]:
    """Return the indices of the tree's leaves that are differentiated: real floating-point numbers."""
    return [index for index, leaf in enumerate(jax.tree_util.tree_leaves(values)) if jnp.issubdtype(jnp.result_type(leaf), jnp.floating)]


def flat(function: Callable[..., Any], arguments: Sequence[Any]) -> tuple[Function, list[Any]]:
    """Return a function of only the leaves that are differentiated, and a list of these leaves as arrays.

    The function calls `function` with its inputs in place of these leaves. All other leaves of `arguments` stay the same.
    """
    leaves, tree = jax.tree_util.tree_flatten(tuple(arguments))
    places = real_leaves(tuple(arguments))

    def call(*inputs: Any) -> list[Any]:
        given = list(leaves)
        for place, value in zip(places, inputs, strict=True):
            given[place] = value
        result = function(*jax.tree_util.tree_unflatten(tree, given))
        results = jax.tree_util.tree_leaves(result)
        return [results[place] for place in real_leaves(result)]

    return call, [jnp.asarray(leaves[place]) for place in places]


def gradient_of(function: Function, inputs: Sequence[Any], outputs: Sequence[Any]) -> tuple[Function, list[Any]]:
    """Return the vector–Jacobian product as a function of inputs and incoming gradients, and a list of arguments for it.

    The arguments are the `inputs`, followed by random incoming gradients.
    """
    draw = numpy.random.RandomState(0)
    incoming = [jnp.asarray(draw.randn(*output.shape), dtype=output.dtype) for output in outputs]

    def gradient(*arguments: Any) -> list[Any]:
        _, backward = jax.vjp(function, *arguments[: len(inputs)])
        return list(backward(list(arguments[len(inputs) :])))

    return gradient, [*inputs, *incoming]


def step_of(eps: float, inputs: Sequence[Any]) -> float:
    """Return the step of the differences: `eps`, or the cube root of the inputs' precision if this is larger, because of rounding."""
    precisions = [float(jnp.finfo(each.dtype).eps) for each in inputs]
    return max([eps, *(math.cbrt(precision) for precision in precisions)])


def numerical_jacobians(function: Function, inputs: Sequence[Any], step: float) -> dict[Place, Array]:
    """Return the Jacobians by central differences. Raises TooManyEntries, and what the function raises."""
    jacobians: dict[Place, Array] = {}
    for of_input, entry, place in _entries(inputs):
        both, lengths = [], []
        for sign in (1, -1):
            moved = numpy.array(inputs[of_input])
            moved[place] += sign * step
            lengths.append(float(moved[place]))
            both.append(function(*inputs[:of_input], jnp.asarray(moved), *inputs[of_input + 1 :]))
        for output, (after, before) in enumerate(zip(*both, strict=True)):
            row = (_numbers(after) - _numbers(before)) / (lengths[0] - lengths[1])
            _matrix(jacobians, (output, of_input), inputs[of_input].size, row.size)[entry] = row
    return jacobians


def analytical_jacobians(
    function: Function, inputs: Sequence[Any], outputs: Sequence[Any], mode: Literal["reverse", "forward"]
) -> dict[Place, Array]:
    """Return the Jacobians by vector–Jacobian products or, in forward mode, by Jacobian–vector products.

    Raises TooManyEntries, and what the function raises.
    """
    jacobians: dict[Place, Array] = {}
    if mode == "forward":
        for of_input, entry, place in _entries(inputs):
            _, tangents = jax.jvp(function, tuple(inputs), tuple(_unit(inputs, of_input, place)))
            for output, tangent in enumerate(tangents):
                _matrix(jacobians, (output, of_input), inputs[of_input].size, tangent.size)[entry] = _numbers(tangent)
        return jacobians
    _, backward = jax.vjp(function, *inputs)
    for output, entry, place in _entries(outputs):
        for of_input, gradient in enumerate(backward(_unit(outputs, output, place))):
            _matrix(jacobians, (output, of_input), inputs[of_input].size, outputs[output].size)[:, entry] = _numbers(gradient)
    return jacobians


def _entries(arrays: Sequence[Any]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield every entry: the number of its array, its own number in the array, and its indices."""
    for number, array in enumerate(arrays):
        for entry, place in enumerate(numpy.ndindex(array.shape)):
            yield number, entry, place


def _unit(arrays: Sequence[Any], number: int, place: tuple[int, ...]) -> list[Any]:
    """Return arrays of zeros, with a one at `place` of array `number`."""
    units = [numpy.zeros(array.shape, array.dtype) for array in arrays]
    units[number][place] = 1
    return [jnp.asarray(unit) for unit in units]


def _matrix(jacobians: dict[Place, Array], place: Place, rows: int, columns: int) -> Array:
    if place not in jacobians:
        if rows * columns + sum(known.size for known in jacobians.values()) > ENTRIES:
            raise TooManyEntries
        jacobians[place] = numpy.zeros((rows, columns))
    return jacobians[place]


def _numbers(array: Any) -> Array:
    return numpy.asarray(array).astype(numpy.float64).reshape(-1)
