"""Bounds PyTorch's thread pools: a program that asks for more threads than a run may use gets a warning and the bound.

Installed in the zygote, called in the child. Without the bound, the sandbox would refuse threads. Then libgomp would abort, or the error
would look like a lack of memory.
"""

import functools
import warnings
from collections.abc import Callable

import torch


class ThreadLimit:
    """Limits PyTorch to `threads` threads in this run. The replaced functions read `threads` at each call."""

    def __init__(self) -> None:
        self.threads = 1
        self._set_num_threads = torch.set_num_threads

    def install(self) -> None:
        for name in ("set_num_threads", "set_num_interop_threads"):
            setattr(torch, name, self._clamped(getattr(torch, name)))

    def apply(self, threads: int) -> None:
        """Use exactly `threads` threads from now on."""
        self.threads = threads
        if torch.get_num_threads() != threads:
            self._set_num_threads(threads)

    def _clamped(self, original: Callable[[int], None]) -> Callable[[int], None]:
        @functools.wraps(original)
        def clamped(num_threads: int, /) -> None:
            if type(num_threads) is int and num_threads > self.threads:
                warnings.warn(f"torch.{original.__name__}({num_threads}): a run may use {self.threads} here", UserWarning, stacklevel=2)
                num_threads = self.threads
            original(num_threads)

        return clamped
