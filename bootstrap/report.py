"""What set-up tells the person who waits for it."""

import os
import sys


class SetupError(Exception):
    """Set-up cannot go on; the message says what to do about it."""


def step(text: str) -> None:
    """One line for each thing that takes time."""
    print(f"==> {text}", flush=True)


def note(text: str) -> None:
    """A detail of the step before."""
    print(f"    {text}", flush=True)


def warn(text: str) -> None:
    """A loud line, for what is missing but does not stop the set-up."""
    line = f"!!! {text} !!!"
    if sys.stderr.isatty() and "NO_COLOR" not in os.environ:
        line = f"\033[1;33m{line}\033[0m"
    print(f"\n{line}\n", file=sys.stderr, flush=True)
