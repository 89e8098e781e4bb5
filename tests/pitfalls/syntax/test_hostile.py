"""Sources that are made to harm whoever reads them."""

import pytest

from app.pitfalls.syntax.places import FunctionPlaces
from app.pitfalls.syntax.source_rules import MOST_BYTES, find_in_source

BACKWARD = "import torch\nclass F(torch.autograd.Function):\n def backward(ctx, g):\n"
SOURCES = {
    "parentheses": "(" * 30_000 + ")" * 30_000,
    "lists": "[" * 5_000 + "]" * 5_000,
    "signs": "-" * 60_000 + "1",
    "attributes": "a" + ".b" * 30_000,
    "sums": "1" + "+1" * 30_000,
    "calls": "f" + "()" * 30_000,
    "lambdas": "lambda:" * 5_000 + "1",
    "comprehensions": "[" * 80 + "x" + " for x in y]" * 80,
    "blocks": "".join(" " * depth + "if x:\n" for depth in range(99)) + " " * 100 + "pass",
    "branches": "if x:\n pass\n" + "elif y:\n pass\n" * 4_000,
    "branches of a backward": BACKWARD + "  if x:\n   h = g\n" + "  elif y:\n   h = g\n" * 2_000,
    "loops of a backward": BACKWARD + "".join("  " + " " * depth + "for i in x:\n" for depth in range(19)) + " " * 40 + "h = 2",
    "sum in a backward": BACKWARD + "  return g" + " + g" * 15_000,
    "attributes in a backward": BACKWARD + "  g" + ".t()" * 12_000 + ".mul_(2)",
    "text with expressions": 'f"' + "{x}" * 2_000 + '"',
    "null byte": "a\0b",
    "huge number": "x = " + "9" * 60_000,
    "half of a character": 'x = "\ud800"',
    "other encoding": "# -*- coding: utf-16 -*-\nx = 1",
    "bases in a circle": "\n".join(f"class F{i}(F{(i + 1) % 9}): pass" for i in range(99)),
    "own base": "import torch\nclass F(torch.autograd.Function): pass\nclass F(F): pass\nclass F(F): pass",
    "diamonds": "import torch\nclass F0(torch.autograd.Function): pass\n"
    + "\n".join(f"class F{i}(F{i - 1}, F{max(0, i - 2)}): pass" for i in range(1, 300)),
    "names in a circle": "import torch\na = b\nb = a\ndef f(x): return g(x)\ndef g(x): return f(x)\ntorch.func.grad(f)(a)\na.backward()",
    "nothing": "",
    "no parameters": "import torch\nclass F(torch.autograd.Function):\n def forward(): return\n def backward(): return\nF.apply()",
    "empty tuple": BACKWARD + "  return ()",
}


@pytest.mark.parametrize("name", SOURCES)
def test_nothing_is_found_and_nothing_is_raised(name: str) -> None:
    assert find_in_source(SOURCES[name]) == []
    FunctionPlaces.read(SOURCES[name])


def test_a_text_that_is_too_long_is_not_looked_at() -> None:
    wrong = "import torch\nclass F(torch.autograd.Function): pass\nF()\n"

    assert find_in_source(wrong)
    assert find_in_source(wrong + "#" * MOST_BYTES) == []
    assert find_in_source(wrong + "#" + "é" * (MOST_BYTES // 2)) == []


def test_the_number_of_findings_is_limited() -> None:
    assert len(find_in_source("import torch\nclass F(torch.autograd.Function): pass\n" + "F()\n" * 1_000)) == 100
