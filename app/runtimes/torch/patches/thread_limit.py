"""PyTorch's thread pools, bounded: asking for more threads than a run may use warns instead of starting them.

Installed in the zygote. Refusing the threads themselves would make libgomp abort, or look like lack of memory.
"""

import functools
import warnings
from collections.abc import Callable

import torch


class ThreadLimit:
    """How many threads PyTorch may use in this run; the observers below read it at each call."""

    def __init__(self) -> None:
        self.threads = 1
        self._set_num_threads = torch.set_num_threads

    def install(self) -> None:
        for name in ("set_num_threads", "set_num_interop_threads"):
            setattr(torch, name, self._clamped(getattr(torch, name)))

    def apply(self, threads: int) -> None:
        """Use exactly `threads` threads from here on."""
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
