"""A ban on torch.exp holds whatever way the name is reached; computing the same by other means is a solution."""

import pytest

from app.runtimes.torch.grading.bans import check_bans
from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_tree import parse_sources

USED = [
    "import torch\ny = torch.exp(x)",
    "import torch as t\ny = t.exp(x)",
    "from torch import exp",
    "from torch import exp as e\ny = e(x)",
    "from torch import special, exp_ as e",
    "import torch\ny = torch.Tensor.exp(x)",
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
    "class T(torch.Tensor):\n    pass\ny = T.exp(x)",
    "y = torch._foreach_exp([x])",
    "import math\nmath = torch\ny = math.exp(x)",
    "import torch as math\ny = math.exp(x)",
    "import math\nfor math in [torch]:\n    y = math.exp(x)",
    "import math\ndef f(math):\n    return math.exp(x)",
    "match x:\n    case torch.Tensor(exp=f):\n        y = f()",
    "import torch\n(t := torch).exp(x)",
    "import torch\ny = torch.ops.aten.exp(x)".replace("ops.aten", "special"),
    "import torch.nn.functional as F\ny = F.exp(x)",
    "ctx.exp = 1\ny = ctx.exp",
]
REACHED = [
    "import torch\ny = torch.ops.aten.exp(x)",
    "import torch\ny = torch.ops.aten.exp.default(x)",
    "from torch import ops",
    "from torch.ops import aten",
    "import torch\ny = torch._C._VariableFunctions.sin(x)",
    "y = torch.__dict__['exp'](x)",
    "y = vars(torch)['exp'](x)",
    "exec('y = torch.exp(x)')",
    "y = eval('torch.exp(x)')",
    "y = compile('x', 'x', 'eval')",
    "y = __import__('torch').sin(x)",
    "import importlib",
    "import sys\nsys.modules['torch']",
    "import inspect",
    "import ctypes",
    "import pickle",
    "import builtins",
    "from torch import *",
    "from torch.special import *",
    "name = 'e' + 'xp'\ny = getattr(torch, name)(x)",
    "g = getattr\ny = g(torch, 'exp')(x)",
    "y = globals()['torch']",
    "y = locals()",
    "setattr(x, 'a', 1)",
    "y = object.__getattribute__(x, 'exp')()",
    "y = x.__getattribute__('exp')()",
    "from operator import methodcaller\ny = methodcaller('exp')(x)",
    "import operator\ny = operator.attrgetter('exp')(torch)(x)",
    "import torch\ny = torch.jit.script(f)",
    "import torch\ny = torch.compile(f)",
    "import torch\ny = torch.library.define('a::b', '')",
    "import random\nrandom._os.system('x')",
    "import enum\nenum.bltns.eval('x')",
    "import warnings\nwarnings.sys.modules",
    "import codecs",
    "__builtins__['exec']('x')",
    "y = f.__globals__['torch']",
    "class A:\n    def __getattr__(self, name):\n        return 1",
    "import typing\ntyping.get_type_hints(f)",
    "import torch\ntorch.utils.benchmark.Timer('x').timeit()",
    "import torch\ntorch.sys.modules",
    "from . import anything",
    "import string\nstring.Formatter().get_field('0.exp', [x], {})",
    "from functools import singledispatch",
    "import numpy\nnumpy.testing.runstring('x', {})",
    "class A(B):\n    exp: object",
    "hidden = [torch]\nhidden[0]._C",
    "A = type('A', (), {'__setattr__': f})",
    "match x:\n    case object(__dict__=found):\n        pass",
    "from functools import wraps",
    "from dataclasses import make_dataclass",
    "self._C = 1\nself._C",
]
ALLOWED = [
    "import torch\ny = torch.expm1(x) + 1",
    "import math\ny = math.e ** x",
    "import math\ny = math.exp(1.0)",
    "import numpy as np\ny = torch.from_numpy(np.exp(x.numpy()))",
    "from math import exp\ny = exp(1.0)",
    "def exp(x):\n    return sum(x**n for n in range(20))\ny = exp(x)",
    "import torch\ny = torch.pow(torch.e, x)",
    "import torch\nimport torchviz\nprint('exp')\ntorchviz.make_dot(y, params={'exp': y})",
    "import torch\nclass Exp(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n        return x.sin()",
    "import torch\nmodel = torch.nn.Linear(1, 1)\nmodel.eval()\nif __name__ == '__main__':\n    pass",
    "class A:\n    def __init__(self):\n        super().__init__()\n        self._y = 1\n        print(self._y)",
    "from torch import nn\nfrom torch.nn import functional as F\ny = F.softmax(x, 0)",
    "from dataclasses import dataclass\nfrom typing import Any\nimport collections, itertools, time\nexpected = 3",
    "y = getattr(x, 'sin')()",
    "import torch\ntorch.testing.assert_close(x, y)",
    "text = 'a docstring about exp'",
    'def f(x):\n    """Without torch.exp."""\n    return x  # not torch.exp(x)',
    "exp = 3\nfor exp in range(exp):\n    print(exp, f'exp {exp}')\nresult = {'exp': exp}['exp']\nf(exp=exp)",
    "import torch\nprint(type(x), type(x).mro(), isinstance(x, type))",
    "class A:\n    _n = 0\n    def _count(self):\n        self._n += 1\n        return self._count",
    "from dataclasses import dataclass\n@dataclass\nclass Range:\n    exp: int\n    base: int = 2",
    "import math\nimport numpy\ny = math.exp(1.0) + numpy.exp(2.0) + numpy.lib.stride_tricks.as_strided(x).sum()",
    "class A:\n    def __repr__(self):\n        return 'A'\n    def __eq__(self, other):\n        return True",
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


@pytest.mark.parametrize("source", REACHED)
def test_what_reaches_any_name_is_refused(source: str) -> None:
    assert reason(source) in ("ban-dynamic", "ban-star", "ban-import", "ban-used")


@pytest.mark.parametrize("source", ALLOWED)
def test_other_means_are_a_solution(source: str) -> None:
    assert reason(source) is None


def test_each_source_is_read() -> None:
    with pytest.raises(NotPassed, match="ban-used"):
        check_bans(parse_sources(["import torch", "y = torch.exp(x)", "z = 1"]), ["torch.exp"])


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


@pytest.mark.parametrize("source", ["def", "x = '\\0'\0", "(" * 3000])
def test_what_is_no_python_is_told(source: str) -> None:
    assert reason(source) == "syntax"


def test_a_name_with_many_meanings_may_stand_for_anything() -> None:
    others = "".join(f"a = a.b{number}\n" for number in range(60))
    assert reason(f"import math\nimport torch\na = math\n{others}a = torch\ny = a.exp(x)") == "ban-used"
    assert reason(f"import torch\na = torch\n{others}") is None
