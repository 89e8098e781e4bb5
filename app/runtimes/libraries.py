"""The libraries that a program can import besides the frameworks and Python's standard library. Runs in the runner.

Only libraries that learners are told about are listed. A program can import others too. The server needs these, and they may change.
"""

from functools import cache
from importlib.metadata import PackageNotFoundError, version

# The distributions by the names under which programs import them. docs/decisions/0026 gives the reasons.
_DISTRIBUTIONS = {
    "numpy": "numpy",
    "matplotlib": "matplotlib",
    "tqdm": "tqdm",
    "torchviz": "torchviz",
    "graphviz": "graphviz",
    "networkx": "networkx",
    "sympy": "sympy",
    "PIL": "pillow",
    "scipy": "scipy",
    "pandas": "pandas",
}


@cache
def find_libraries() -> dict[str, str]:
    """Return the versions of the installed libraries, by the names under which programs import them. Imports none of them."""
    return {name: found for name, distribution in _DISTRIBUTIONS.items() if (found := _find_version(distribution))}


def _find_version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
