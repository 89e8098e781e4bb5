"""Which libraries a program can import besides the frameworks and Python's own modules. Runs in the runner.

Named are those that learners are told of; what the server itself needs lies beside them, and may change without a word.
"""

from functools import cache
from importlib.metadata import PackageNotFoundError, version

# By the name under which a program imports them, and the one under which they are installed. docs/decisions/0026 says which, and why.
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
    """The versions of those that are installed, by the name under which they are imported. Looked up, not imported."""
    return {name: found for name, distribution in _DISTRIBUTIONS.items() if (found := _find_version(distribution))}


def _find_version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
