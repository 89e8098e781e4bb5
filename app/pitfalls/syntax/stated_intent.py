"""Finds the Functions whose comments or docstring say that their gradient is not the derivative of forward."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

INTENT = re.compile(
    r"\b(straight[- ]through|STE|surrogate|on purpose|deliberate(ly)?|intended|intentional(ly)?|not the derivative|custom gradients?)\b",
    re.IGNORECASE,
)


def intended_classes(text: str) -> set[str]:
    """Return the names of the classes with such a comment, inside or directly above, or such a docstring; none if the text is no Python."""
    try:
        tree, comments = ast.parse(text), comments_of(text)
    except (SyntaxError, ValueError, RecursionError, tokenize.TokenError):
        return set()
    classes = [each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)]
    return {each.name for each in classes if any(INTENT.search(words) for words in words_of(each, comments))}


def comments_of(text: str) -> dict[int, tuple[str, bool]]:
    """Return, by line, each comment and whether it is alone in its line."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {each.start[0]: (each.string, not each.line[: each.start[1]].strip()) for each in tokens if each.type == tokenize.COMMENT}


def words_of(node: ast.ClassDef, comments: dict[int, tuple[str, bool]]) -> Iterator[str]:
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    while first - 1 in comments and comments[first - 1][1]:
        first -= 1
    last = node.end_lineno or node.lineno
    yield " ".join(comments[line][0].lstrip("# ") for line in range(first, last + 1) if line in comments)
    for each in ast.walk(node):
        if isinstance(each, ast.ClassDef | ast.FunctionDef):
            yield " ".join((ast.get_docstring(each) or "").split())
