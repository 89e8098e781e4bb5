"""A forbidden name is found as people write it, with its line; names computed at run time are not."""

import pytest

from app.runtimes.torch.grading.not_passed import NotPassed
from app.runtimes.torch.grading.source_rules.bans import banned_operators, check_bans
from app.runtimes.torch.grading.source_rules.source_tree import parse_sources

WITHOUT_AUTOGRAD = ["torch.autograd", "torch.func", "torch.Tensor.backward", "torch.Tensor.grad", "torch.Tensor.grad_fn"]
USED = [
    "import torch\ny = torch.special.exp(x)",
    "match x:\n    case torch.Tensor(exp=f):\n        y = f()",
    "import torch\ny = torch.exp(x)",
    "import torch as t\ny = t.exp(x)",
    "from torch import exp",
    "from torch import exp as e\ny = e(x)",
    "y = x.exp()",
    "x.exp_()",
    "y = (x + 1).exp()",
    "y = torch.ｅｘｐ(x)",
    "import torch\nt = torch\ny = t.exp(x)",
    "import torch\nt, u = torch, 1\ny = t.exp(x)",
    "import torch\nf = torch.exp",
    "import torch\ny = list(map(torch.exp, [x]))",
    "import torch\ny = getattr(torch, 'exp')(x)",
    "y = getattr(x, 'exp')()",
    "from functools import partial\nimport torch\nf = partial(torch.exp)",
    "def f(t):\n    return t.exp(x)",
    "f = lambda t: t.exp()",
    "import torch as math\ny = math.exp(x)",
    "import torch\n(t := torch).exp(x)",
]
AUTOGRAD = [
    "import torch\ntorch.autograd.grad(y, x)",
    "from torch.autograd import grad as g",
    "import torch.autograd as a",
    "y.backward()",
    "g = x.grad",
    "n = y.grad_fn",
    "import torch\nclass F(torch.autograd.Function):\n    pass",
    "from torch import func",
]
OWN_NAMES = [
    "class A:\n    def __init__(self):\n        self.linear = f\n    def g(self, x):\n        return self.linear(x)",
    "class A:\n    def linear(self, x):\n        return x\nA().linear(1)",
    "from dataclasses import dataclass\n@dataclass\nclass A:\n    func: object\n    autograd: bool = True\nprint(a.func(1), a.autograd)",
    (
        "class Node:\n    def __init__(self):\n        self.grad = 0.0\n    def backward(self):\n        self.grad += 1\n"
        "n = Node()\nn.backward()\nprint(n.grad)"
    ),
    "from dataclasses import dataclass\n@dataclass\nclass Node:\n    grad: float = 0.0\nNode().grad",
    "class Node:\n    __slots__ = ('value', 'grad')\ndef zero(nodes):\n    for node in nodes:\n        node.grad = 0.0",
    "import heapq, numbers, graphlib, bisect, enum, weakref\nfrom functools import wraps, lru_cache",
    "class A:\n    __match_args__ = ('value',)\nmatch A():\n    case A(1):\n        pass",
]
LINEAR = [
    "import torch\ntorch.nn.functional.linear(x, w)",
    "import torch\nF = torch.nn.functional\nF.linear(x, w)",
    "import torch\nself.linear = torch.nn.functional.linear\nself.linear(x, w)",
    "import torch\ngetattr(torch.nn.functional, 'linear')(x, w)",
    "from torch.nn.functional import linear",
]


def reason(source: str, *bans: str) -> str | None:
    try:
        check_bans(parse_sources([source]), list(bans or ("torch.exp",)))
    except NotPassed as failed:
        return failed.code
    return None


@pytest.mark.parametrize("source", USED)
def test_a_banned_name_is_found(source: str) -> None:
    assert reason(source) == "ban-used"


@pytest.mark.parametrize("source", AUTOGRAD)
def test_autograd_is_found(source: str) -> None:
    assert reason(source, *WITHOUT_AUTOGRAD) == "ban-used"


@pytest.mark.parametrize("source", OWN_NAMES)
def test_what_the_source_itself_calls_so_is_its_own(source: str) -> None:
    assert reason(source, "torch.nn.functional.linear", *WITHOUT_AUTOGRAD) is None


@pytest.mark.parametrize("source", LINEAR)
def test_it_is_still_banned_of_modules(source: str) -> None:
    assert reason(f"class A:\n    linear = func = 0\n{source}", "torch.nn.functional.linear", "torch.func")


@pytest.mark.parametrize(("source", "ban"), [("y = x ** 2", "**"), ("y = a @ b", "@"), ("x **= 2", "**")])
def test_an_operator_is_found(source: str, ban: str) -> None:
    assert reason(source, ban) == "ban-used"


def test_a_module_that_is_called_like_an_attribute_of_tensors_leaves_that_alone() -> None:
    assert (
        reason("import torch\nx.sum().backward()\nprint(x.grad)\nx.grad = None\ntorch.autograd.grad(y, x)", "torch.nn.grad", "torch.ops")
        is None
    )


def test_the_line_and_the_widest_ban_are_told() -> None:
    with pytest.raises(NotPassed) as failed:
        check_bans(parse_sources(["import torch", "x = 1\ny = torch.special.exp2(x)\n"]), ["torch.special.exp2", "torch.special"])
    assert failed.value.values == {"name": "torch.special", "line": 2, "written": "torch.special.exp2"}


def test_the_operators_that_bans_name() -> None:
    operators = banned_operators(["torch.logsumexp", "torch.nn.functional.cross_entropy", "torch.asin", "**"])
    assert operators["aten::logsumexp"] == operators["aten::special_logsumexp"] == "torch.logsumexp"
    assert operators["aten::cross_entropy_loss"] == "torch.nn.functional.cross_entropy"
    assert operators["aten::arcsin"] == operators["aten::asin_"] == "torch.asin"


@pytest.mark.parametrize("source", ["def", "x = '\\0'\0", "(" * 3000])
def test_what_is_no_python_is_told(source: str) -> None:
    assert reason(source) == "syntax"
