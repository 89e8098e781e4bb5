"""Runs a Function repeatedly without visible effects: no output, no warnings, no changed state."""

import contextlib
import io
import warnings
from collections.abc import Iterator

import torch


class Discarded(io.TextIOBase):
    """A stream that discards what is printed."""

    def write(self, text: str) -> int:
        return len(text)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Restore the state of the process after the block.

    In the block, tensors are double by default, and one thread computes, as they are small.
    """
    state, dtype, threads = torch.random.get_rng_state(), torch.get_default_dtype(), torch.get_num_threads()
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(Discarded()), contextlib.redirect_stderr(Discarded()):
            warnings.simplefilter("ignore")
            yield
    finally:
        torch.set_num_threads(threads)
        torch.set_default_dtype(dtype)
        torch.random.set_rng_state(state)
