"""Restores what running a Function may change: random numbers, modes, the default dtype, tensors that the Function reaches from outside."""

import contextlib
import io
import random
import sys
import warnings
from collections.abc import Iterable, Iterator

import torch

from app.probes.calls.copies import DOUBLE

MOST_BYTES = 64_000_000  # the most bytes of all tensors whose values are restored


class Discarded(io.TextIOBase):
    """A stream that discards what is printed."""

    def write(self, text: str) -> int:
        return len(text)


@contextlib.contextmanager
def preserved() -> Iterator[None]:
    """Restore, after the block, states that belong to the process. What the block prints is discarded, and so are its warnings.

    In the block, PyTorch checks sparse tensors: with other sizes than the program's, their indices may be out of bounds, which would crash
    the process.
    """
    numpy = sys.modules.get("numpy")
    torch_state, python_state = torch.get_rng_state(), random.getstate()
    numpy_state = numpy.random.get_state() if numpy is not None else None
    dtype, is_enabled = torch.get_default_dtype(), torch.is_grad_enabled()
    is_deterministic, detects = torch.are_deterministic_algorithms_enabled(), torch.is_anomaly_enabled()
    with (
        contextlib.redirect_stdout(Discarded()),
        contextlib.redirect_stderr(Discarded()),
        warnings.catch_warnings(action="ignore"),
        torch.sparse.check_sparse_tensor_invariants(enable=True),  # type: ignore[no-untyped-call]
    ):
        try:
            yield
        finally:
            torch.set_default_dtype(dtype)
            torch.set_grad_enabled(is_enabled)
            # only if it differs, because setting it imports the compiler, which takes seconds
            if torch.are_deterministic_algorithms_enabled() != is_deterministic:
                torch.use_deterministic_algorithms(is_deterministic)
            if torch.is_anomaly_enabled() != detects:
                torch.autograd.set_detect_anomaly(detects)
            torch.set_rng_state(torch_state)
            random.setstate(python_state)
            if numpy is not None:
                numpy.random.set_state(numpy_state)


@contextlib.contextmanager
def preserved_in_double() -> Iterator[None]:
    """Do the same as `preserved`. In the block, tensors are double by default, and one thread computes, as they are small."""
    threads = torch.get_num_threads()
    with preserved():
        torch.set_default_dtype(torch.float64)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)


@contextlib.contextmanager
def preserved_tensors(tensors: Iterable[torch.Tensor]) -> Iterator[None]:
    """Restore, after the block, the values and gradients of these tensors."""
    before, left = [], MOST_BYTES
    for each in {id(each): each for each in tensors}.values():
        left -= each.nbytes if each.layout is torch.strided else 0
        is_copied = each.layout is torch.strided and left > 0
        grad = each.grad if each.is_leaf else None
        before.append((each, each.detach().clone() if is_copied else None, grad, None if grad is None else grad.detach().clone()))
    try:
        yield
    finally:
        with torch.no_grad():
            for tensor, values, grad, grad_values in before:
                if values is not None and not same(tensor, values):
                    tensor.data.copy_(values)
                if grad is not None and grad_values is not None and not same(grad, grad_values):
                    grad.data.copy_(grad_values)
                if tensor.is_leaf and tensor.grad is not grad:
                    tensor.grad = grad


@contextlib.contextmanager
def outside_in_double(tensors: Iterable[torch.Tensor]) -> Iterator[None]:
    """Give these tensors double precision within the block."""
    single = [each for each in {id(each): each for each in tensors}.values() if each.dtype in DOUBLE and each.layout is torch.strided]
    before = [each.data for each in single]
    try:
        for each in single:
            each.data = each.data.to(DOUBLE[each.dtype])
        yield
    finally:
        for each, data in zip(single, before, strict=True):
            each.data = data


def same(first: torch.Tensor, second: torch.Tensor) -> bool:
    return first.shape == second.shape and first.layout is second.layout and torch.equal(first.detach(), second)
