"""Prints messages to the person who waits for set-up."""

import os
import sys


class SetupError(Exception):
    """Set-up cannot continue. The message says what to do about it."""


def step(text: str) -> None:
    """Print a line about something that takes time."""
    print(f"==> {text}", flush=True)


def note(text: str) -> None:
    """Print a detail of the step that was announced last."""
    print(f"    {text}", flush=True)


def warn(text: str) -> None:
    """Print a conspicuous line about something that is missing but does not stop set-up."""
    line = f"!!! {text} !!!"
    if sys.stderr.isatty() and "NO_COLOR" not in os.environ:
        line = f"\033[1;33m{line}\033[0m"
    print(f"\n{line}\n", file=sys.stderr, flush=True)
