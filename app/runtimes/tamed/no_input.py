"""input() in a place where nobody can answer. Installed in the zygote, called in the child."""

import builtins
import functools
from typing import Any

MESSAGE = "there is no input here: nobody can answer input() while a cell runs; write the value into the source instead"


@functools.wraps(builtins.input)
def _no_input(prompt: Any = "", /) -> str:
    raise EOFError(MESSAGE)


def install_no_input() -> None:
    """Let input() raise an EOFError that says so plainly."""
    builtins.input = _no_input
