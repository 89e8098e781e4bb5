"""What a ban covers besides its own name, and how a refusal is told."""

import pytest

from app.grading.words import word
from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_rules.bans import check_bans
from app.runtimes.torch.grading.source_rules.source_tree import parse_sources
from tests.runtimes.torch.grading.source_rules.refusals import WITHOUT_AUTOGRAD, reason

BELOW = [  # what a ban on torch.func and torch.autograd covers
    "from torch.func import vjp",
    "from torch.func import vjp as pull\ny = pull(f, x)",
    "from torch.func import *",
    "from torch import func",
    "from torch import func as f\ny = f.vjp(x)",
    "import torch.func",
    "import torch.func as f\ny = f.vjp(x)",
    "import torch\ny = torch.func.vjp(f, x)",
    "import torch as t\nu = t\ny = u.func.vjp(f, x)",
    "hidden = [torch]\ny = hidden[0].func.vjp(f, x)",
    "y = getattr(torch, 'func').vjp(f, x)",
    "from torch.autograd import grad",
    "from torch.autograd import functional",
    "from torch.autograd.functional import jacobian as j",
    "import torch.autograd.functional as F",
    "import torch.autograd.functional\ny = torch.autograd.functional.jacobian(f, x)",
    "import torch.nn, torch.autograd.forward_ad as ahead",
    "import torchviz\ny = torchviz.dot.torch.autograd.grad(y, x)",
    "from torchviz.dot import torch as t\ny = t.func.vjp(f, x)",
]
BESIDE = [  # what has a name like them and is not below them
    "import torch.nn.functional as F\ny = F.softmax(x, 0)",
    "from torch.nn import functional, Linear",
    "import torch\nwith torch.no_grad():\n    y = x * 2",
    "from functools import partial\nvjp = partial(f)\ny = vjp(x)",
    "def vjp(x):\n    return x\nrules = {'vjp': vjp}",
    "class Rule:\n    def vjp(self, x):\n        return x\ny = Rule().vjp(x)",
]


@pytest.mark.parametrize("source", BELOW)
def test_a_banned_module_covers_everything_below_it(source: str) -> None:
    assert reason(source, "torch.func", "torch.autograd") in ("ban-used", "ban-star")
    assert reason(source, "torch.exp") in (None, "ban-star")


@pytest.mark.parametrize("source", BESIDE)
def test_a_banned_module_covers_nothing_beside_it(source: str) -> None:
    assert reason(source, "torch.func", "torch.autograd") is None


def test_a_banned_function_does_not_cover_its_module() -> None:
    assert reason("import torch.func\nfrom torch.func import jacrev", "torch.func.vjp") is None
    assert reason("from torch.nn.functional import linear", "torch.nn.functional.linear") == "ban-used"


@pytest.mark.parametrize(
    ("source", "ban"),
    [
        ("y = x ** 2", "**"),
        ("x **= 2", "**"),
        ("y = x @ x", "@"),
        ("y = torch.special.expit(x)", "torch.sigmoid"),
        ("import numpy\nnumpy.exp(1)", "numpy.exp"),
    ],
)
def test_operators_aliases_and_other_modules_are_banned(source: str, ban: str) -> None:
    assert reason(source, ban) == "ban-used"
    assert reason(source, "torch.exp") in (None, "ban-used")


def test_a_method_of_an_operator_that_is_banned_is_refused() -> None:
    assert reason("y = self.__pow__(2)") is None
    assert reason("y = self.__pow__(2)", "**") == "ban-private"


def test_other_modules_of_torch_are_free_where_nothing_of_torch_is_banned() -> None:
    assert reason("import torch\nfrom torch.distributions import Poisson\nx.distributions", "**") is None


def said(source: str, *bans: str) -> str:
    """The refusal of a source in English."""
    with pytest.raises(NotPassed) as failed:
        check_bans(parse_sources([source]), list(bans))
    return word(failed.value.message(), "en")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "import torch\n\ngr = torch.autograd.grad\ndef f(g, x):\n    return gr(x, g)",
            "without torch.autograd; line 3 uses torch.autograd.grad.",
        ),
        ("from torch import autograd as ag", "without torch.autograd; line 1 uses torch.autograd (as ag)."),
        ("import torch as t\nt.func.vjp(f, x)", "without torch.func; line 2 uses torch.func.vjp (as t.func.vjp)."),
        ("import torch\ntorch.autograd.functional.vjp(f, x)", "without torch.autograd; line 2 uses torch.autograd.functional.vjp."),
        ("y = x.grad", "without torch.Tensor.grad; line 1 uses x.grad."),
        ("(x.sum(0) * g).sum().backward()", "without torch.Tensor.backward; line 1 uses (x.sum(0) * g).sum().backward."),
        (f"({'x + ' * 30}x).backward()", "without torch.Tensor.backward; line 1 uses .backward."),
        (f"x{'.sin()' * 700}.backward()", "without torch.Tensor.backward; line 1 uses .backward."),
        ("match x:\n    case object(grad=y):\n        pass", "without torch.Tensor.grad; line 2 uses grad."),
    ],
)
def test_what_is_used_is_told_as_it_is_written(source: str, expected: str) -> None:
    assert said(source, "torch.autograd.grad", "torch.func.vjp", *WITHOUT_AUTOGRAD).endswith(expected)


def test_an_attribute_of_tensors_that_is_banned_is_not_assigned_either() -> None:
    own = "If that is an attribute of your own, give it another name."
    assert said("out.grad = 1.0", *WITHOUT_AUTOGRAD).endswith(f"without torch.Tensor.grad; line 1 uses out.grad. {own}")
    assert said("self.backward += 1", *WITHOUT_AUTOGRAD).endswith(f"line 1 uses self.backward. {own}")
    assert reason("ctx.exp = 1\ny = ctx.exp") == "ban-attribute"
    assert said("class A:\n    grad: float = 0\nx.grad", *WITHOUT_AUTOGRAD).endswith(f"line 3 uses x.grad. {own}")


def test_a_refusal_says_what_may_be_imported() -> None:
    assert "only these modules: __future__, abc" in said("import sys", *WITHOUT_AUTOGRAD)
    told = said("import torch.distributions", *WITHOUT_AUTOGRAD)
    assert told.startswith("Line 1 uses torch.distributions.")
    assert told.endswith("torch.utils.checkpoint.") and "torch.nn.functional" in told
    assert "torch.autograd" not in told and "torch.func," not in told


@pytest.mark.parametrize("source", ["import sys", "import torch.distributions", "import tqdm.utils"])
def test_what_may_be_used_is_listed_to_its_end(source: str) -> None:
    assert "…" not in said(source, "torch.exp")


def test_only_what_reaches_any_name_is_told_to() -> None:
    assert reason("exec('x')") == reason("y = x.__dict__") == reason("getattr(x, name)") == "ban-dynamic"
    assert reason("y = x.__add__(1)") == reason("y = torch._C") == "ban-private"
    assert reason("from functools import wraps") == "ban-unseen"
