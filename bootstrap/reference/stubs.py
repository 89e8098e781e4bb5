"""Reads signatures from torch's type stubs, for functions whose docstring has none."""

import ast
from functools import cache
from pathlib import Path

import torch


def stub_signatures(name: str) -> tuple[str, ...]:
    """Return the first signature of torch's function `name`, without types. Returns an empty tuple if the stubs lack the function."""
    function = stubs().get(name)
    if function is None:
        return ()
    for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs):
        argument.annotation = None
    if function.args.vararg:
        function.args.vararg.annotation = None
    result = f" -> {function.returns.id}" if isinstance(function.returns, ast.Name) and not function.returns.id.startswith("_") else ""
    return (f"({ast.unparse(function.args)}){result}",)


@cache
def stubs() -> dict[str, ast.FunctionDef]:
    """Return the first definition of each function in torch's stubs, by its name."""
    file = Path(torch.__file__).parent / "_C" / "_VariableFunctions.pyi"
    if not file.is_file():
        return {}
    found: dict[str, ast.FunctionDef] = {}
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, node)
    return found
