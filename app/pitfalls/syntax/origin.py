"""The tensor of which a name in a method is an alias."""

import ast
from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True)
class Origin:
    """What a name is an alias of.

    `kind`: a parameter of the method, or one of `ctx.saved_tensors`. `index`: its number; None if that is not certain. `name`: that of the
    parameter. `container`: set if the name is no tensor but a tuple, of "tensors" or of "pieces" of one. `through`: set if its memory was
    reached by a way that autograd does not watch.
    """

    kind: Literal["parameter", "saved"]
    index: int | None
    name: str = ""
    container: Literal["", "tensors", "pieces"] = ""
    through: Literal["", "data", "numpy"] = ""


def element(origin: Origin, number: int | None) -> Origin:
    if origin.container == "pieces":
        return replace(origin, container="")
    return replace(origin, container="", index=number) if origin.kind == "saved" else replace(origin, container="")


def is_view_index(index: ast.expr) -> bool:
    """Return whether indexing with this expression certainly gives a view: whole numbers, slices, None and the ellipsis."""
    if isinstance(index, ast.Tuple):
        return all(is_view_index(each) for each in index.elts)
    if isinstance(index, ast.UnaryOp):
        return isinstance(index.op, ast.USub) and is_view_index(index.operand)
    if isinstance(index, ast.Constant):
        return index.value is None or index.value is Ellipsis or type(index.value) is int
    return isinstance(index, ast.Slice)
