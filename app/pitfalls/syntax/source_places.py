"""Finds the place of a node of a syntax tree in the source."""

import ast

from app.pitfalls.finding import Place


def place_of(node: ast.expr | ast.stmt) -> Place:
    """Return the place of the whole node."""
    end_line = node.lineno if node.end_lineno is None else node.end_lineno
    return Place(node.lineno, node.col_offset, end_line, node.end_col_offset or node.col_offset)


def heading_place(node: ast.FunctionDef | ast.ClassDef) -> Place:
    """Return the place of `def name` or `class name`, assuming a single space between the two words."""
    word = "def" if isinstance(node, ast.FunctionDef) else "class"
    return Place(node.lineno, node.col_offset, node.lineno, node.col_offset + len(f"{word} {node.name}".encode()))


def attribute_place(node: ast.Attribute) -> Place:
    """Return the place of the name after the last dot."""
    whole = place_of(node)
    return Place(whole.end_line, whole.end_column - len(node.attr.encode()), whole.end_line, whole.end_column)


def inside_place(returned: ast.Tuple) -> Place:
    """Return the place of a tuple's items, without its parentheses. The tuple is not empty."""
    first, last = place_of(returned.elts[0]), place_of(returned.elts[-1])
    return Place(first.line, first.column, last.end_line, last.end_column)


def contains(outer: ast.stmt, inner: ast.expr | ast.stmt) -> bool:
    """Return whether the lines of a statement contain those of another node."""
    return outer.lineno <= inner.lineno and (inner.end_lineno or inner.lineno) <= (outer.end_lineno or outer.lineno)
