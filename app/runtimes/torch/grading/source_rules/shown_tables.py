"""Where a source only looks at the tables of names that Python keeps, as in print(vars(x)). Runs in the grader's child.

From such a table any name can be taken, and in it any can be changed; from its text, its length and its keys, none.
"""

import ast
from collections.abc import Iterator

from app.runtimes.torch.grading.source_rules.source_tree import bound_names

TABLES = {"vars", "locals", "globals"}  # calls of these give one
_SHOWS = {"print", "repr", "str", "len", "list", "sorted"}


def shown_tables(trees: list[ast.Module]) -> set[ast.AST]:
    """The `vars` of print(vars(x)), the `__dict__` of print(x.__dict__) and the like: what is only looked at."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    shows = _SHOWS - {name for node in nodes for name in bound_names(node)}
    found: set[ast.AST] = set()
    for node in nodes:
        match node:
            case ast.ImportFrom(names=[ast.alias(name="*")]):
                return set()
            case ast.Call(func=ast.Name(id=name), args=values) if name in shows:
                found.update(_tables(values))
            case ast.FormattedValue(value=value):
                found.update(_tables([value]))
    return found


def _tables(values: list[ast.expr]) -> Iterator[ast.expr]:
    for value in values:
        match value:
            case ast.Call(func=ast.Name(id=name)) if name in TABLES:
                yield value.func
            case ast.Attribute(attr="__dict__"):
                yield value
