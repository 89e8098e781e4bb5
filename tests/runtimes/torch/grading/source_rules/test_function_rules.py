"""What counts as a Function of one's own, read from the source."""

import pytest

from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_rules.function_rules import check_functions
from app.runtimes.torch.grading.source_rules.source_tree import parse_sources

RIGHT = """
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad
"""
NEW_STYLE = RIGHT.replace("forward(ctx, x)", "forward(x)").replace(
    "    @staticmethod\n    def backward",
    "    @staticmethod\n    def setup_context(ctx, inputs, output):\n        pass\n\n    @staticmethod\n    def backward",
)
BASE = "import torch\n\n\nclass Base(torch.autograd.Function):\n"
FROM_FUNCTION = RIGHT.replace("import torch", "import torch\nfrom torch.autograd import Function").replace("(torch.autograd.", "(")
OLD = RIGHT.replace("Square", "Old")
SQUARE = "\nclass Square(Old):\n    @staticmethod\n    def forward(ctx, x):\n        return x\n"
DERIVED = RIGHT.replace("torch.autograd.Function", "Base")


def reason(*sources: str) -> str | None:
    try:
        check_functions(parse_sources(list(sources)), ["Square"])
    except NotPassed as failed:
        return failed.code
    return None


@pytest.mark.parametrize(
    "sources",
    [
        [RIGHT],
        [NEW_STYLE],
        [RIGHT.replace("backward", "vjp")],
        [RIGHT.replace("import torch", "from torch.autograd import Function as F").replace("torch.autograd.Function", "F")],
        [RIGHT.replace("import torch", "import torch as t").replace("torch.autograd.Function", "t.autograd.Function")],
        [RIGHT.replace("import torch", "from torch import autograd").replace("torch.autograd.Function", "autograd.Function")],
        [RIGHT.replace("import torch", "import torch.autograd.function as f").replace("torch.autograd.Function", "f.Function")],
        [
            RIGHT.replace(
                "    @staticmethod\n    def backward",
                "    @staticmethod\n    @torch.autograd.function.once_differentiable\n    def backward",
            )
        ],
        [RIGHT, RIGHT.replace("return x", "return x + 1")],
        [RIGHT.replace("class Square", "class Base") + RIGHT.replace("torch.autograd.Function", "Base")],
        [RIGHT + "\n\ndef square(Square):\n    x = Square\n    return x\n"],
        [BASE + "    @staticmethod\n    def double(x):\n        return 2 * x\n" + DERIVED],
        [RIGHT + "\nimport gc, inspect, re, sys\ngc.collect()\nprint(sys.getsizeof(1), re.compile('a'), torch.nn.modules)\n"],
        [RIGHT + "\nmodel = torch.nn.Linear(1, 1).eval()\nprint(model.modules(), model.__class__.__name__, getattr(model, 'bias'))\n"],
        [RIGHT + "\nfrom functools import wraps\nsetattr(model, 'scale', 2)\n\n@wraps(model)\ndef f(x):\n    return x\n"],
        [RIGHT + "\nsquare = Square.apply\ny = square(torch.ones(1))\n"],
        [OLD + SQUARE],
        [OLD + "\nclass Square(Old):\n    pass\n"],
        [RIGHT.replace("@staticmethod", "@classmethod").replace("(ctx", "(cls, ctx")],
        [RIGHT.replace("return grad", "apply = Other.apply\n        return apply(grad)")],
        [RIGHT.replace("    @staticmethod\n    def forward", "    @staticmethod\n    @torch.cuda.amp.custom_fwd\n    def forward")],
        [FROM_FUNCTION + "\n\ndef test(Function, x):\n    return torch.autograd.gradcheck(Function.apply, x)\n"],
        [RIGHT + "\ndef f(vars, eval):\n    compile = [one for one in vars]\n    return eval(compile)\n"],
        [RIGHT + "\nprint(vars(y.grad_fn), locals(), sorted(vars(y)), y.__dict__, f'{globals()}')\n"],
    ],
)
def test_a_function_of_ones_own_is_accepted(sources: list[str]) -> None:
    assert reason(*sources) is None


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("import torch", "function-missing"),
        ("def f():\n" + "\n".join(f"    {line}" for line in RIGHT.splitlines()), "function-missing"),
        (RIGHT.replace("torch.autograd.Function", "object"), "function-base"),
        (RIGHT.replace("torch.autograd.Function", "torch.nn.Module"), "function-base"),
        (RIGHT.replace("backward", "back"), "function-method"),
        (RIGHT.replace("forward", "ahead"), "function-method"),
        (RIGHT.replace("class Square", "@print\nclass Square"), "function-wrapped"),
        (RIGHT.replace("Function)", "Function, metaclass=type)"), "function-wrapped"),
        (RIGHT.replace("    @staticmethod\n    def backward", "    @staticmethod\n    @print\n    def backward"), "function-wrapped"),
        (RIGHT + "\n    @classmethod\n    def apply(cls, x):\n        return x\n", "function-apply"),
        (RIGHT + "\n    backward = staticmethod(print)\n", "function-rebound"),
        (RIGHT + "\nSquare = print\n", "function-rebound"),
        (RIGHT + "\ndef Square(x):\n    return x\n", "function-rebound"),
        (RIGHT + "\nif True:\n    import math as Square\n", "function-rebound"),
        (RIGHT + "\nfor Square in [1]:\n    pass\n", "function-rebound"),
        (RIGHT + "\ndel Square\n", "function-rebound"),
        (RIGHT + "\ndef f():\n    global Square\n    Square = 1\n", "function-rebound"),
        (RIGHT + "\nprint(Square := 1)\n", "function-rebound"),
        (RIGHT + "\nSquare.backward = print\n", "function-rebound"),
        (RIGHT + "\nS = Square\nS.forward = print\n", "function-rebound"),
        (RIGHT + "\nsetattr(Square, 'backward', print)\n", "function-rebound"),
        (RIGHT + "\nsetattr(Square, 'back' + 'ward', print)\n", "function-reach"),
        (RIGHT + "\nmatch 1:\n    case Square:\n        pass\n", "function-rebound"),
        ("class Base:\n    pass\n" + RIGHT.replace("torch.autograd.Function", "Base, torch.autograd.Function"), "function-base"),
        (BASE + "    apply = staticmethod(print)\n" + DERIVED, "function-apply"),
        (BASE + "    @staticmethod\n    def apply(x):\n        return x\n" + DERIVED, "function-apply"),
        (BASE.replace("Function)", "Function, metaclass=Meta)") + "    pass\n" + DERIVED, "function-wrapped"),
        ("import torch\nclass torch:\n    pass\n" + RIGHT.replace("import torch", ""), "function-base"),
        ("from torch.autograd import Function\nclass Function:\n    pass\n" + RIGHT.replace("torch.autograd.", ""), "function-base"),
        ("import torch\ntorch.autograd.Function = Fake\n" + RIGHT, "function-rebound"),
        (RIGHT + "\ntype.__setattr__(Square, 'apply', print)\n", "function-reach"),
        (RIGHT + "\nput = setattr\nput(Square, 'apply', print)\n", "function-reach"),
        (RIGHT + "\nlist(map(setattr, [Square], ['apply'], [print]))\n", "function-reach"),
        (RIGHT + "\nsetattr(*(Square, 'backward', print))\nsetattr(*[], 'a', 1)\n", "function-reach"),
        (RIGHT + "\nfrom functools import update_wrapper as u\n", "function-reach"),
        (RIGHT + "\nimport functools\nfunctools.wraps(Other, assigned=['apply'])(Square)\n", "function-reach"),
        (RIGHT + "\nclass R:\n    def __reduce_ex__(self, version):\n        return f\n", "function-reach"),
        (RIGHT + "\nfrom unittest import mock\n", "function-reach"),
        (RIGHT + "\nglobals()['Square'] = print\n", "function-table"),
        (RIGHT + "\nexec('Square = print')\n", "function-reach"),
        (RIGHT + "\nimport __main__\n", "function-reach"),
        (RIGHT + "\nprint.__self__.setattr(Square, 'apply', print)\n", "function-reach"),
        (RIGHT + "\ngetattr(torch, '__dict__')['Function'] = print\n", "function-table"),
        (RIGHT + "\nfrom app.runtimes.torch.calls import call_server\n", "function-reach"),
        (RIGHT + "\nimport sys as s\nmain = s.modules['__main__']\n", "function-reach"),
        (RIGHT + "\nfrom sys import modules\n", "function-reach"),
        (RIGHT + "\nSquare.__bases__ = (Other,)\n", "function-reach"),
        (RIGHT + "\nmodule.Square = print\n", "function-rebound"),
        (OLD.replace("@staticmethod", "@print") + SQUARE, "function-wrapped"),
        (OLD + "    backward = staticmethod(print)\n" + SQUARE, "function-rebound"),
        (OLD + "    if True:\n        apply = print\n" + SQUARE, "function-apply"),
        (FROM_FUNCTION + "\n\ndef f():\n    global Function\n    Function = object\n", "function-base"),
        (FROM_FUNCTION + "\nfor Function in [object]:\n    pass\n", "function-base"),
        (RIGHT + "\nvars(torch)['Function'] = print\n", "function-table"),
        (RIGHT + "\nprint(*vars(torch))\nvars(torch).values()\n", "function-table"),
        (RIGHT + "\ndef print(names):\n    names['Function'] = 1\nprint(vars(torch))\n", "function-table"),
        (RIGHT + "\nsorted(vars(torch).values())\n", "function-table"),
        (RIGHT + "\nprint(vars)\n", "function-table"),
        (RIGHT + "\ndef f(vars):\n    return vars\nvars(torch)['Function'] = print\n", "function-table"),
        (RIGHT + "\ndef f(run=exec):\n    [0 for exec in []]\n    exec('1')\n", "function-reach"),
        (RIGHT + "\nsorted(vars(torch), key=f)\nsorted(globals().items())\n", "function-table"),
        ("class", "syntax"),
    ],
)
def test_what_only_looks_like_one_is_refused(source: str, code: str) -> None:
    assert reason(source) == code
