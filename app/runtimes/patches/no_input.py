"""input() in a place where nobody can answer. Installed in the zygote, called in the child."""

import builtins
import functools
from typing import Any

_MESSAGE = "there is no input here"  # the runner explains it: app/runner/stumbles/here/no-input.toml


@functools.wraps(builtins.input)
def _no_input(prompt: Any = "", /) -> str:
    raise EOFError(_MESSAGE)


def install_no_input() -> None:
    """Let input() raise an EOFError that says so plainly."""
    builtins.input = _no_input
