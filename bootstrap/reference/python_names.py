"""Python's own names: those of the modules `builtins` and `math`."""

import builtins
import math

from bootstrap.reference.entry import Entry, describe

PYTHON = "https://docs.python.org/3/library/"
SITES = {"builtins": PYTHON, "math": PYTHON}
NOT_FOR_PROGRAMS = {"copyright", "credits", "exit", "license", "quit"}


def collect() -> dict[str, dict[str, Entry]]:
    """Return the entries of each of the two modules by name."""
    return {
        "builtins": {name: describe(value, builtin_page(name, value)) for name, value in public(builtins) if name not in NOT_FOR_PROGRAMS},
        "math": {name: describe(value, f"math.html#math.{name}") for name, value in public(math)},
    }


def public(module: object) -> list[tuple[str, object]]:
    return [(name, getattr(module, name)) for name in dir(module) if not name.startswith("_")]


def builtin_page(name: str, value: object) -> str:
    """Return the page of a built-in name. All functions are on one page, all exceptions on another, all constants on a third."""
    if isinstance(value, type) and issubclass(value, BaseException):
        return f"exceptions.html#{name}"
    return f"functions.html#{name}" if callable(value) else f"constants.html#{name}"
