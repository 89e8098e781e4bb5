"""Bounds TensorFlow's thread pools: a program that asks for more threads than a run may use gets a warning and the bound.

Installed in the zygote, called in the child. TensorFlow aborts if a thread is refused.
"""

import warnings
from typing import Any

from tensorflow.python.eager import context

POOLS = ("intra_op_parallelism_threads", "inter_op_parallelism_threads")


class ThreadPools:
    """Limits each thread pool to `threads` threads in this run. The replaced setters read `threads` at each call."""

    def __init__(self) -> None:
        self.threads = 1
        self._setters: dict[str, Any] = {}

    def install(self) -> None:
        for name in POOLS:
            original = getattr(context.Context, name)
            self._setters[name] = original.fset
            setattr(context.Context, name, property(original.fget, self._clamped(name)))

    def apply(self, threads: int) -> None:
        """Use exactly `threads` threads. Call this before the first operation."""
        self.threads = threads
        for setter in self._setters.values():
            setter(context.context(), threads)

    def _clamped(self, name: str) -> Any:
        def set_threads(of_context: Any, number: Any) -> None:
            """Replace TensorFlow's setter. As there, 0 means the number of processors."""
            if type(number) is int and not 0 < number <= self.threads:
                if number > self.threads:
                    words = f"tf.config.threading.set_{name}({number}): a run may use {self.threads} here"
                    warnings.warn(words, UserWarning, stacklevel=3)
                number = self.threads
            self._setters[name](of_context, number)

        return set_threads
