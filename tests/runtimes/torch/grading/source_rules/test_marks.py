"""A line after which nobody can say how the program computes is marked; ordinary programs are not."""


from app.runtimes.torch.grading.source_rules.marks import Mark, find_marks
from app.runtimes.torch.grading.source_rules.source_tree import parse_sources
from tests.one_test import in_one_test

UNUSUAL = [
    "import torch\ny = torch.ops.aten.exp(x)",
    "import torch\ny = torch.ops.aten.exp.default(x)",
    "from torch import ops",
    "import torch\ny = torch._C._VariableFunctions.sin(x)",
    "y = torch.__dict__['exp'](x)",
    "y = vars(torch)['exp'](x)",
    "exec('y = torch.exp(x)')",
    "y = eval('torch.exp(x)')",
    "y = compile('x', 'x', 'eval')",
    "y = __import__('torch').sin(x)",
    "import importlib",
    "import sys\nsys.modules['torch']",
    "import ctypes",
    "import pickle",
    "name = 'e' + 'xp'\ny = getattr(torch, name)(x)",
    "g = getattr\ny = g(torch, 'exp')(x)",
    "y = globals()['torch']",
    "y = locals()",
    "y = object.__getattribute__(x, 'exp')()",
    "y = x.__getattribute__('exp')()",
    "from operator import methodcaller\ny = methodcaller('exp')(x)",
    "import operator\ny = operator.attrgetter('exp')(torch)(x)",
    "import torch\ny = torch.jit.script(f)",
    "import torch\ny = torch.library.define('a::b', '')",
    "import random\nrandom._os.system('x')",
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
    "import numpy\nnumpy.testing.runstring('x', {})",
    "hidden = [torch]\nhidden[0]._C",
    "import torchviz\ny = torchviz.dot.torch.exp(x)",
    "from torchviz.dot import torch as t\ny = t.exp(x)",
    "class A:\n    __getattr__ = f",
    "class A:\n    __radd__ = getattr",
    "A = type('A', (), {'__setattr__': f})",
    "def f(vars):\n    return vars\ny = vars(torch)",
    "y = dict(vars(x))",
    "def isinstance(f, kind):\n    return f\nisinstance(eval, 0)('1')",
    "print(x.__dict__['exp'])",
    "def f():\n    [0 for eval in []]\n    return eval('1')",
    "from dataclasses import make_dataclass",
    "import torch\ny = torch.nn.RNN.all_weights.fget(x)",
    "import torch\ntorch.utils.rename_privateuse1_backend('auto' + 'grad')",
    "import torch\ny = torch.get_device_module('auto' + 'grad')",
    "A = int.__class__('A', (), names)",
    "class A:\n    pass\nB = A.__class__('B', (), names)",
    "x.__class__ = A",
    "gen = (i for i in [1])\nread = gen.gi_frame.f_builtins['get' + 'attr']",
    "async def f():\n    pass\nf().cr_frame",
    "class A:\n    def __exit__(self, kind, error, trace):\n        self.found = trace.tb_next",
    "code = template(1).gi_code\ncode.replace(co_names=('e' + 'xp',))",
    "frame.f_back",
    "code.co_consts",
    "import numpy\nnumpy.testing.decorate_methods(T, take, '^back' + 'ward$')",
    "import matplotlib.pyplot as plt\nplt.backend_registry.load_backend_module('module://torch.' + name)",
    "from torch.utils.checkpoint import CheckpointFunction\nclass A(CheckpointFunction):\n    pass",
    "made = type(op.overloadpacket)",
    "class A:\n    def __reduce__(self):\n        return make, (), (None, names)",
    "class A:\n    def __getstate__(self):\n        return None, names",
    "class A(metaclass=make):\n    pass",
    "import sys\nsys.setprofile(f)",
    "import gc\ngc.callbacks.append(f)",
    "import threading",
    "import sympy",
    "import tqdm\ntqdm.wrapattr(f)",
    "import matplotlib.pyplot as plt\nplt.rcParams['figure.hooks'] = ['builtins:exec']",
    "import numpy as np\nnp.lib.stride_tricks.as_strided(x)",
    "Square.apply = f",
    "Square.backward = f",
    "import torch\ntorch.autograd.Function.apply = f",
    "open('helper.py', 'w')",
    "import helper",
    "import torch\ntorch._C._disable()",
    "from app.protocol import calls",
    "class A(torch.overrides.TorchFunctionMode):\n    pass",
    "Square._backward_cls = B",
]
USUAL = [
    "import sys\nfrom torch.optim.lr_scheduler import StepLR\nfrom torch.nn.modules.linear import Linear\nsys.setrecursionlimit(5000)",
    "x.register_hook(print)\nimport inspect, os, argparse, traceback\nprint(inspect.signature(f), os.linesep)\ntraceback.print_exc()",
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
    (
        "class Node:\n    def __init__(self):\n        self.ops = []\n        self._backward = lambda: None\n    def go(self):\n"
        "        for op in self.ops:\n            op._backward()"
    ),
    (
        "import torch\nclass F(torch.autograd.Function):\n    calls = 0\n    @staticmethod\n    def forward(ctx, x):\n"
        "        F.calls += 1\n        ctx.x = x\n        return x"
    ),
    "import sys, gc\nprint(sys.getsizeof(1), sys.version)\ngc.collect()",
    "class P:\n    def __init__(self, **values):\n        for name, value in values.items():\n            setattr(self, name, value)",
    "import torch\nx.requires_grad = True\nx.grad = None\ntorch.manual_seed(0)\nmodel.eval()\nmodel.training = False",
    (
        "import torch.nn.functional as F\nfrom torch.utils.checkpoint import checkpoint\n"
        "from torch.autograd.function import once_differentiable"
    ),
    "print(type(x).__mro__, f.__code__)",
    "import heapq, numbers, graphlib, bisect, enum, weakref\nfrom functools import wraps",
]


@in_one_test("source", UNUSUAL)
def test_the_unusual_is_marked(source: str) -> None:
    assert find_marks(parse_sources([source]), [])


@in_one_test("source", USUAL)
def test_the_usual_is_not(source: str) -> None:
    assert find_marks(parse_sources([source]), []) == []


def test_marks_have_lines_in_order_and_what_the_solution_does_has_none() -> None:
    trees = parse_sources(["x = 1\nexec('1')\nimport threading\nexec('2')"])
    assert find_marks(trees, []) == [Mark(2, "exec"), Mark(3, "threading"), Mark(4, "exec")]
    assert find_marks(trees, parse_sources(["exec('solved')"])) == [Mark(3, "threading")]
