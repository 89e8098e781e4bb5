"""A ban on torch.exp holds whatever way the name is reached; computing the same by other means is a solution."""

import pytest

from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_rules.bans import check_bans
from app.runtimes.torch.grading.source_rules.source_tree import parse_sources
from tests.runtimes.torch.grading.source_rules.refusals import WITHOUT_AUTOGRAD, reason

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
    "y = torch._foreach_exp([x])",
    "import math\nmath = torch\ny = math.exp(x)",
    "import torch as math\ny = math.exp(x)",
    "import math\nfor math in [torch]:\n    y = math.exp(x)",
    "import math\ndef f(math):\n    return math.exp(x)",
    "match x:\n    case torch.Tensor(exp=f):\n        y = f()",
    "import torch\n(t := torch).exp(x)",
    "import torch\ny = torch.ops.aten.exp(x)".replace("ops.aten", "special"),
    "import torch.nn.functional as F\ny = F.exp(x)",
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
    "import torchviz\ny = torchviz.dot.torch.exp(x)",
    "from torchviz.dot import torch as t\ny = t.exp(x)",
    "class A:\n    __getattr__ = f",
    "class A:\n    __radd__ = getattr",
    "y = x.__add__(1)",
    "A = type('A', (), {'__setattr__': f})",
    "match x:\n    case object(__dict__=found):\n        pass",
    "def f(vars):\n    return vars\ny = vars(torch)",
    "def print(table):\n    return table['exp']\nprint(vars(x))",
    "y = dict(vars(x))",
    "def isinstance(f, kind):\n    return f\nisinstance(eval, 0)('1')",
    "print(x.__dict__['exp'])",
    "print(x.__globals__)",
    "def f():\n    [0 for eval in []]\n    return eval('1')",
    "from functools import wraps",
    "from dataclasses import make_dataclass",
    "self._C = 1\nself._C",
    "import torch\nclass T(torch.Tensor):\n    pass\ny = T.exp(x)",
    "from torch import nn\nclass T(nn.ParameterDict):\n    pass",
    "import torch\ny = torch.nn.RNN.all_weights.fget(x)",
    "import torch\ntorch.utils.rename_privateuse1_backend('auto' + 'grad')",
    "import torch\ny = torch.get_device_module('auto' + 'grad')",
    "from contextlib import redirect_stdout as r\nclass A(r):\n    _stream = 'modules'",
    "A = int.__class__('A', (), names)",
    "class A:\n    pass\nB = A.__class__('B', (), names)",
    "x.__class__ = A",
    "import contextlib\nclass A(contextlib.redirect_stderr):\n    _stream = 'modules'",
]
PATTERNS = [
    "match torch:\n    case A(ag):\n        pass",
    "match x:\n    case [Point(1, y=y)]:\n        pass",
    "match x:\n    case {'a': float(y)} | float(y):\n        pass",
]
FRAMES = [  # and code, and what leads to them
    "gen = (i for i in [1])\nread = gen.gi_frame.f_builtins['get' + 'attr']",
    "async def f():\n    pass\nf().cr_frame",
    "class A:\n    def __exit__(self, kind, error, trace):\n        self.found = trace.tb_next",
    "code = template(1).gi_code\ncode.replace(co_names=('e' + 'xp',))",
    "frame.f_back",
    "code.co_consts",
]
SCANNED = [  # by libraries, for attributes that they are given the names of as text
    "import numpy\nnumpy.testing.decorate_methods(T, take, '^back' + 'ward$')",
    "import numpy\nclass A(numpy.testing.TestCase):\n    pass",
    "import matplotlib.pyplot as plt\nplt.backend_registry.load_backend_module('module://torch.' + name)",
    "from torch.utils.checkpoint import CheckpointFunction\nclass A(CheckpointFunction):\n    pass",
    "import torch\nmade = type(torch.quantized_gru)('aten::e' + 'xp', 'e', op, [''])",
    "from torch import quantized_lstm",
    "made = type(op.overloadpacket)",
    "class A:\n    def __reduce__(self):\n        return make, (), (None, names)",
    "class A:\n    def __getstate__(self):\n        return None, names",
    "try:\n    find()\nexcept AttributeError as error:\n    found = error.obj",
    "class A(metaclass=make):\n    pass",
    "from abc import ABCMeta\ndef f(ABCMeta):\n    class A(metaclass=ABCMeta):\n        pass",
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
    "class A:\n    def __add__(self, other):\n        return self\n    __radd__ = __add__\n    __hash__ = None",
    "import abc\nfrom abc import ABCMeta\nclass A(metaclass=ABCMeta):\n    pass\nclass B(metaclass=abc.ABCMeta):\n    pass",
    "class A:\n    def __neg__(self):\n        return type(self)(-self.value, (self,), 1)",
    "match x:\n    case A(value=1 | 2, other=y):\n        pass\n    case int() | [1, *_]:\n        pass",
    "from collections import namedtuple\nfrom typing import NamedTuple\nA = namedtuple('A', ['value', 'parents'])",
    "import torch\nfrom torch.utils.checkpoint import checkpoint\nfrom torch.linalg import inv\ntorch.nn.init.zeros_(x)\ntorch.fft.fft(x)",
    "import torch\nimport numpy as np\nx.cpu().data.storage()\nnp.random.rand(1)\nmodel.modules()\ntorch.cuda.is_available()",
    "import random\nrandom.Random(0).random()",
    "class A:\n    __ipow__ = __rmatmul__ = lambda self, other: self\n    __repr__ = __str__ = lambda self: 'A'",
    "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass A:\n    value: float\n    parents: tuple = field(default=())",
    "import dataclasses\n@dataclasses.dataclass\nclass A:\n    value: float\nclass B(A):\n    pass",
    "from functools import total_ordering\n@total_ordering\nclass A:\n    pass\nclass B(A, object):\n    pass",
    "from math import *\nfrom random import *\ny = exp(uniform(0, pi))",
    "from typing import *\nT = TypeVar('T')\nclass A(Generic[T]):\n    pass",
    "from dataclasses import *\n@dataclass\nclass A:\n    value: float = field(default=0.0)",
    "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass A(Generic[T]):\n    pass\nclass B(A[int]):\n    pass",
    "from typing import NamedTuple, Protocol\nclass C(NamedTuple):\n    value: float\nclass D(Protocol):\n    pass",
    "from collections import namedtuple\nclass A(namedtuple('Pair', 'first second')):\n    pass",
    "from collections import namedtuple\nB = namedtuple('B', 'x')\nclass C(B):\n    pass",
    "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    pass\nclass F(torch.autograd.Function):\n    pass",
    "class E(Exception):\n    pass\nclass D(dict):\n    pass",
    "import numpy as np\nlinalg = np.linalg\nt = np if x else math\ny = t.sin(linalg.norm(x))",
    "import time\nbegin = time.time()\nprint(f'{time.time() - begin}')",
    "class A:\n    def __neg__(self):\n        return self.__class__(-self.value)",
    "class A:\n    def __radd__(self, other):\n        return self.__add__(other)",
    "class A:\n    def __new__(cls, value):\n        return super().__new__(cls)",
    "class A:\n    def copy(self):\n        return object.__new__(self.__class__)",
    "class A:\n    def __add__(self, other):\n        return super().__add__(other)",
    "from math import exp as e\nfrom time import time\nf(time, e)",
    "import functools, operator\ny = functools.reduce(operator.mul, xs)\nz = map(operator.add, xs, ys)",
    "import math\ndef f(math):\n    return math(1) + math[0] - -math",
    "print(vars(x), x.__dict__, sorted(vars(x)))\nclass A:\n    def __repr__(self):\n        return f'A {self.__dict__}'",
    "def f(vars, eval):\n    type = compile = [one for one in vars]\n    return eval(compile, type)",
]


@pytest.mark.parametrize("source", USED)
def test_a_banned_name_is_found(source: str) -> None:
    assert reason(source) == "ban-used"


@pytest.mark.parametrize("source", REACHED)
def test_what_reaches_any_name_is_refused(source: str) -> None:
    assert reason(source) in ("ban-dynamic", "ban-star", "ban-import", "ban-used", "ban-private", "ban-unseen", "ban-module")


@pytest.mark.parametrize("source", [*FRAMES, *SCANNED])
def test_what_leads_to_names_that_are_text_is_refused(source: str) -> None:
    assert reason(source) == reason(source, *WITHOUT_AUTOGRAD) == "ban-unseen"


@pytest.mark.parametrize("source", PATTERNS)
def test_patterns_by_position_are_refused(source: str) -> None:
    assert reason(source) == "ban-pattern"


OWN_ATTRIBUTES = [
    "class A:\n    def __init__(self):\n        self.linear = f\n    def g(self, x):\n        return self.linear(x)",
    "net.linear = f\nprint(net.linear.weight)",
    "class A:\n    def linear(self, x):\n        return x\nA().linear(1)",
    "from dataclasses import dataclass\n@dataclass\nclass A:\n    func: object\n    autograd: bool = True\nprint(a.func(1), a.autograd)",
]
MODULES_BY_OWN_NAMES = [
    "import torch\ntorch.nn.functional.linear(x, w)",
    "import torch\nF = torch.nn.functional\nF.linear(x, w)",
    "import torch\nhidden = [torch.nn.functional]\nhidden[0].linear(x, w)",
    "import torch\ndef f(t):\n    return t.linear(x, w)\nf(torch.nn.functional)",
    "import torch\nmatch torch.nn.functional:\n    case object(linear=f):\n        pass",
    "import torch\nself.module = torch.nn.functional\nself.module.linear(x, w)",
    "import torch\nself.linear = torch.nn.functional.linear\nself.linear(x, w)",
    "import torch\nfor F in [torch.nn.functional]:\n    F.linear(x, w)",
    "import torch\ngetattr(torch.nn.functional, 'linear')(x, w)",
    "from torch.nn.functional import linear",
]


@pytest.mark.parametrize("source", OWN_ATTRIBUTES)
def test_an_attribute_of_ones_own_may_be_called_like_what_no_tensor_has(source: str) -> None:
    assert reason(source, "torch.nn.functional.linear", "torch.func", "torch.autograd") is None


@pytest.mark.parametrize("source", MODULES_BY_OWN_NAMES)
def test_it_is_still_banned_of_modules(source: str) -> None:
    assert reason(f"class A:\n    linear = func = 0\n{source}", "torch.nn.functional.linear", "torch.func")


@pytest.mark.parametrize("source", ALLOWED)
def test_other_means_are_a_solution(source: str) -> None:
    assert reason(source) is None


def test_each_source_is_read() -> None:
    with pytest.raises(NotPassed, match="ban-used"):
        check_bans(parse_sources(["import torch", "y = torch.exp(x)", "z = 1"]), ["torch.exp"])


@pytest.mark.parametrize("source", ["def", "x = '\\0'\0", "(" * 3000])
def test_what_is_no_python_is_told(source: str) -> None:
    assert reason(source) == "syntax"


def test_a_name_with_many_meanings_may_stand_for_anything() -> None:
    others = "".join(f"a = a.b{number}\n" for number in range(60))
    assert reason(f"import math\nimport torch\na = math\n{others}a = torch\ny = a.exp(x)") == "ban-used"
    assert reason(f"import torch\na = torch\n{others}") is None
