"""Finds what an expression changes in place."""

import ast
from collections.abc import Iterator

from app.pitfalls.syntax.names import dotted_name, is_constant, keyword_value

_KEEPING = {  # in-place methods that leave the values as they are
    *("requires_grad_", "share_memory_", "rename_", "detach_", "squeeze_", "unsqueeze_", "t_", "transpose_", "swapaxes_", "swapdims_"),
    *("resize_", "resize_as_", "as_strided_", "set_", "retain_grad_"),
}


def is_in_place(name: str) -> bool:
    return name.endswith("_") and not name.startswith("_") and not name.endswith("__") and name not in _KEEPING


def changed_by_call(call: ast.Call) -> Iterator[ast.expr]:
    """Yield what a call certainly changes: by an in-place method, by `out=`, or by `inplace=True`."""
    if isinstance(call.func, ast.Attribute):
        first = (dotted_name(call.func) or "").split(".")[0]
        if call.func.attr == "copy_" and call.args and ast.dump(call.args[0]) == ast.dump(call.func.value):
            return  # a copy of itself
        if is_in_place(call.func.attr) and first not in {"torch", "F", "nn", "init"}:
            yield call.func.value
        elif call.args and (is_in_place(call.func.attr) or is_constant(keyword_value(call, "inplace"), True)):
            yield call.args[0]
    out = keyword_value(call, "out")
    if out is not None:
        yield out


def root_name(node: ast.expr) -> str:
    """Return the name with which an expression such as `name.view(-1)[0]` begins; "" if it does not begin with a name."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
