"""A Function has another gradient on purpose if its comments or its docstring say so."""

import pytest

from app.pitfalls.syntax.stated_intent import intended_classes

CLASS = """{above}
class Round(Function):
    {docstring}
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g  {comment}

class Other(Function):
    pass
"""


def text_of(above: str = "", docstring: str = '"""Rounds."""', comment: str = "") -> str:
    return CLASS.format(above=above, docstring=docstring, comment=comment)


@pytest.mark.parametrize(
    "text",
    [
        text_of(comment="# on purpose"),
        text_of(comment="# Straight-Through estimator"),
        text_of(comment="# ste"),
        text_of(above="# This is deliberately\n# no derivative."),
        text_of(docstring='"""Rounds, with a surrogate\n    gradient."""'),
    ],
)
def test_a_comment_or_docstring_of_the_class_says_so(text: str) -> None:
    assert intended_classes(text) == {"Round"}


@pytest.mark.parametrize(
    "text",
    [
        text_of(),
        text_of(comment="# one step of steering"),
        text_of(above="# on purpose\n"),
        text_of(above='purpose = "on purpose"'),
        "class Round(:  # on purpose",
    ],
)
def test_other_texts_do_not(text: str) -> None:
    assert intended_classes(text) == set()
