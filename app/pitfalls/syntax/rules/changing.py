"""Rules about tensors that are changed in place."""

import ast
from collections.abc import Iterator

from app.pitfalls.finding import Finding, Value
from app.pitfalls.syntax.aliases import InPlaceChange, list_changes
from app.pitfalls.syntax.names import is_name, last_name, stored_names, walk_own
from app.pitfalls.syntax.program_tree import ProgramTree
from app.pitfalls.syntax.saved_items import SavedItem, list_saved
from app.pitfalls.syntax.source_places import place_of
from app.pitfalls.syntax.written_function import WrittenFunction, WrittenMethod

_INDENT = 8  # the indent of the statements of a method, which edits of two lines use


def find_changes_in_backward(_program: ProgramTree, function: WrittenFunction, backward: WrittenMethod) -> Iterator[Finding]:
    """Find incoming gradients, and saved inputs or outputs, that backward changes in place. Yields the first change of each."""
    saved = list_saved(function)
    first = {(change.origin.kind, change.origin.index, change.origin.name): change for change in reversed(list_changes(backward))}
    for change in first.values():
        if change.origin.kind == "parameter":
            yield _finding("grad-output-mutated", function, change.origin.name, change)
        elif _is_of_others(saved, change.origin.index):
            yield _finding("saved-tensor-mutated", function, change.name, change)


def _is_of_others(saved: list[SavedItem], index: int | None) -> bool:
    """Return whether a saved tensor is an input or an output, which others use, too. A tensor that forward made belongs to the Function."""
    if index is None or index >= len(saved):
        return False
    item = saved[index]
    return (item.input is not None or item.is_output) and isinstance(item.expression, ast.Name | ast.Starred)


def find_changes_in_forward(_program: ProgramTree, function: WrittenFunction) -> Iterator[Finding]:
    """Find inputs with a gradient that forward changes without mark_dirty, through NumPy, or through `.data` after their use."""
    forward = function.methods.get("forward")
    if forward is None or forward.node.args.kwonlyargs:
        return
    seen: set[tuple[str, str]] = set()
    for change in list_changes(forward):
        index, name = change.origin.index, change.origin.name
        if change.origin.kind != "parameter" or index is None or not function.has_gradient(index):
            continue
        code = {"": "missing-mark-dirty", "numpy": "numpy-in-place", "data": "data-mutated"}[change.origin.through]
        is_certain = not function.marks("mark_dirty") if code != "data-mutated" else _is_saved_before(function, forward, index, change)
        if is_certain and (code, name) not in seen:
            seen.add((code, name))
            yield _finding(code, function, name, change)


def _is_saved_before(function: WrittenFunction, forward: WrittenMethod, index: int, change: InPlaceChange) -> bool:
    """Return whether the input itself is saved, and was read before the change, so that forward computed with the old entries."""
    name = forward.parameters[index]
    if not any(item.input == index and isinstance(item.expression, ast.Name) for item in list_saved(function)):
        return False
    before = [statement for statement in forward.node.body if (statement.end_lineno or 0) < change.statement.lineno]
    return any(
        isinstance(node, ast.Name) and node.id == name
        for statement in before
        if isinstance(statement, ast.Assign | ast.AugAssign)
        for node in walk_own([statement])
    )


def _finding(code: str, function: WrittenFunction, name: str, change: InPlaceChange) -> Finding:
    """Return the finding. Its edit copies the tensor just before the statement, if the statement uses the tensor's own name."""
    values: dict[str, Value] = {"function": function.name, "name": name}
    statement = place_of(change.statement)
    is_one_line = statement.line == statement.end_line
    place = place_of(change.node) if not is_one_line and isinstance(change.node, ast.expr) else statement
    helps = change.name == name and statement.column == _INDENT
    return Finding(code, place, values, {"statement": statement} if helps else {})


def find_result_changed(program: ProgramTree) -> Iterator[Finding]:
    """Find results of `F.apply` that are changed in the same block.

    The change is a mistake if it is made through `.data` although F saved the result, or if forward returns its input.
    """
    for block in program.blocks:
        for number, statement in enumerate(block):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if id(statement) not in program.unrecorded:
                    function = program.called_function(call)
                    if function is not None:
                        yield from _look_behind(program, function, name, call, block[number + 1 :])


def _look_behind(
    program: ProgramTree, function: WrittenFunction, name: str, applied: ast.Call, behind: list[ast.stmt]
) -> Iterator[Finding]:
    """Search the statements after `name = F.apply(…)`, up to the one that computes gradients or binds the name again."""
    returned, saved = _returned_input(function), _saved_names(function, name, applied.args)
    for number, statement in enumerate(behind):
        if not isinstance(statement, ast.Assign | ast.AugAssign | ast.Expr | ast.Return) or _computes_gradients(statement):
            return
        for changed in _changed_directly(statement):
            if is_name(changed, name) and returned is not None and program.asks_for_gradients:
                yield Finding("returned-input-mutated", place_of(returned), {"function": function.name, "name": name})
                return
            if isinstance(changed, ast.Attribute) and changed.attr == "data" and last_name(changed.value) in saved:
                if any(isinstance(each, ast.Return) or _computes_gradients(each) for each in behind[number + 1 :]):
                    values: dict[str, Value] = {"function": function.name, "name": last_name(changed.value)}
                    yield Finding("data-mutated", place_of(statement), values, {"statement": place_of(statement)})
                return
        if stored_names([statement]) & ({name} | saved):
            return


def _saved_names(function: WrittenFunction, result: str, arguments: list[ast.expr]) -> set[str]:
    """Return the caller's names for what the Function saves: the name of its result, and those of its arguments."""
    items = [item for item in list_saved(function) if isinstance(item.expression, ast.Name | ast.Starred)]
    saved = {last_name(arguments[item.input]) for item in items if item.input is not None and item.input < len(arguments)}
    return (saved | ({result} if any(item.is_output for item in items) else set())) - {""}


def _changed_directly(statement: ast.stmt) -> Iterator[ast.expr]:
    """Yield what a statement changes in place."""
    match statement:
        case ast.AugAssign():
            yield statement.target.value if isinstance(statement.target, ast.Subscript) else statement.target
        case ast.Assign():
            yield from (target.value for target in statement.targets if isinstance(target, ast.Subscript))
            yield from (target for target in statement.targets if isinstance(target, ast.Attribute) and target.attr == "data")
    for node in walk_own([statement]):
        match node:
            case ast.Call(func=ast.Attribute(value=changed, attr=called)) if called.endswith("_") and not called.endswith("__"):
                if called not in {"requires_grad_", "detach_", "share_memory_", "rename_"}:
                    yield changed


def _computes_gradients(statement: ast.stmt) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr in {"backward", "grad", "step"} for node in ast.walk(statement))


def _returned_input(function: WrittenFunction) -> ast.Return | None:
    """Return the only `return` of forward if it returns an input itself."""
    forward = function.methods.get("forward")
    if forward is None or not forward.is_plain or len(forward.returns) != 1 or function.marks("mark_dirty"):
        return None
    value = forward.returns[0].value
    is_input = isinstance(value, ast.Name) and value.id in forward.parameters and not forward.stores[value.id]
    return forward.returns[0] if is_input else None
