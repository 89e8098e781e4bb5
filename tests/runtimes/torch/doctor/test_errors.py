"""An error that PyTorch raises stands on the line that has to be mended."""

import pytest

from app.locale.messages import LANGS
from app.pitfalls.pitfall_book import load_pitfalls
from tests.runtimes.children import Children
from tests.runtimes.torch.doctor.diagnosed import diagnose
from tests.runtimes.torch.tracing.programs import PASS, SAVES, USES, function

CUT = "import torch\nw = torch.ones(3, requires_grad=True)\ntarget = torch.zeros(3).detach()\n"
TWO = """
import torch
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, factor, x):
        ctx.factor = factor
        return factor * x
    @staticmethod
    def backward(ctx, g):
        {backward}
x = torch.ones(2, 3, requires_grad=True)
Scale.apply(2.0, x).sum().backward()
"""
MARKED = "ctx.mark_dirty(x)"

# For each program: the code of the only diagnosis, and what it underlines.
ERRORS = {
    "a pass through a freed graph, seen inside of backward": (
        function(SAVES, USES, "y = F.apply(x).sum()\ny.backward()\ny.backward()\n"),
        ("backward-twice", "y.backward()"),
    ),
    "a loss that is detached": (
        CUT + "for step in range(2):\n    loss = ((w - target) ** 2).sum().detach()\n    print('step')\n    loss.backward()\n",
        ("detached-backward-call", "loss = ((w - target) ** 2).sum().detach()"),
    ),
    "a sum of numbers": (
        CUT + "rows = [w.sum(), w.prod()]\ntotal = torch.tensor([row.item() for row in rows]).sum()\nmean = total / 2\nmean.backward()\n",
        ("detached-backward-call", "total = torch.tensor([row.item() for row in rows]).sum()"),
    ),
    "a loss that is not recorded": (
        CUT + "with torch.no_grad():\n    loss = (w * 2).sum()\nloss.backward()\n",
        ("detached-backward-call", "loss = (w * 2).sum()"),
    ),
    "an input that needs no gradient, and a target that is detached": (
        "def loss_of(x, target):\n    loss = (x - target.detach()).sum()\n    loss.backward()\n" + CUT + "loss_of(target, target)\n",
        ("detached-backward-call", "loss.backward()"),
    ),
    "autograd.grad of what is cut off": (
        CUT + "loss = w.sum()\nloss = loss.data\ntorch.autograd.grad(loss, w)\n",
        ("detached-backward-call", "loss = loss.data"),
    ),
    "mark_dirty of what is not returned": (
        function(f"x += 1; {MARKED}; return x * 2", "return g", "F.apply(x * 1)\n"),
        ("mark-dirty-misused", MARKED),
    ),
    "mark_dirty of a leaf": (
        function(f"x += 1; {MARKED}; return x", "return g", "F.apply(x)\n"),
        ("mark-dirty-misused", MARKED),
    ),
    "a gradient of another shape behind an argument that is no tensor": (
        TWO.format(backward="return None, g[0, :2]"),
        ("wrong-shape", "g[0, :2]"),
    ),
    "a gradient too few in a list": (
        TWO.format(backward="grads = [g]; return tuple(grads)"),
        ("wrong-gradient-count", "return tuple(grads)"),
    ),
    "a gradient for a number that the source does not show": (
        TWO.format(backward="first = g.sum(); return first, ctx.factor * g").replace("(2.0, x)", "(max(2, 1), x)"),
        ("gradient-for-non-tensor", "first"),
    ),
    "something saved that is no tensor": (
        function("n = x.shape; ctx.save_for_backward(n); return x * 2", "return g * 2", PASS),
        ("saved-non-tensor", "ctx.save_for_backward(n)"),
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_stands_where_it_has_to_be_mended(children: Children, name: str) -> None:
    text, (code, underlined) = ERRORS[name]
    diagnosed = diagnose(children, text)
    assert diagnosed.ended.over.error is not None
    assert [(each.code, piece) for each, piece in zip(diagnosed.diagnoses, diagnosed.underlined, strict=True)] == [(code, underlined)]
    for diagnosis in diagnosed.diagnoses:
        for lang in LANGS:
            load_pitfalls().put_into_words(diagnosis, lang, lambda span: None)
            assert diagnosis.message


def test_an_error_in_a_cell_names_the_line_of_an_earlier_one(children: Children) -> None:
    earlier = TWO.format(backward="return g[0, :2].sum(), None, None, None, g").rpartition("x = ")[0]
    diagnosed = diagnose(children, "x = torch.ones(2, requires_grad=True)\nScale.apply(2.0, x).sum().backward()\n", earlier)
    assert [(each.code, each.span and each.span.cell) for each in diagnosed.diagnoses] == [("wrong-gradient-count", "earlier-0")]


def test_an_error_of_another_kind_adds_nothing(children: Children) -> None:
    assert diagnose(children, "import torch\ntorch.ones(2) @ torch.ones(3)\n").diagnoses == []
    assert diagnose(children, "raise ValueError('Trying to backward through the graph a second time')\n").diagnoses == []
