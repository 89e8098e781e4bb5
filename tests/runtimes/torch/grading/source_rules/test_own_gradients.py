"""A Function computes its gradient itself, unless the exercise's solution has autograd do it."""

import pytest

from app.protocol.grading import Rubric
from app.runtimes.torch.grading.failing import NotPassed
from app.runtimes.torch.grading.source_rules.own_gradients import check_own_gradients, uses_autograd
from app.runtimes.torch.grading.source_rules.source_tree import parse_sources
from tests.runtimes.torch.grading.loopback import codes, grade

HEAD = "import torch\nfrom torch.autograd import grad\n"


def written(body: str, around: str = "") -> str:
    return f"{HEAD}{around}\nclass Square(torch.autograd.Function):\n    @staticmethod\n    def backward(ctx, g):\n        {body}\n"


FORMULA = written("return 2 * ctx.saved_tensors[0] * g")
HANDED_OVER = [
    written("return torch.autograd.grad(out, x, g)[0]"),
    written("return grad(out, x, g)[0]"),
    written("return pull(out, x, g)[0]", "pull = torch.autograd.grad"),
    written("out.backward(g)\n        return x.grad"),
    written("(out * g).sum().backward()\n        return x.grad"),
    written("return torch.func.vjp(f, x)[1](g)[0]"),
    written("return torch.autograd.functional.vjp(f, x, g)[1]"),
    written(
        "return pull(x, g)", "def pull(x, g):\n    return inner(x, g)\ndef inner(x, g):\n    return torch.autograd.grad(x * x, x, g)[0]"
    ),
    written("return pull(x, g)", "pull = lambda x, g: torch.autograd.grad(x * x, x, g)[0]"),
    written("return Rules.pull(x, g)", "class Rules:\n    def pull(x, g):\n        return torch.autograd.grad(x * x, x, g)[0]"),
    written("return rules.pull(x, g)", "class Rules:\n    def pull(self, x, g):\n        return grad(x * x, x, g)[0]\nrules = Rules()"),
    written("return rules[0](x * x, x, g)[0]", "rules = [grad]"),
    written("return rules['pull'](x, g)", "rules = {}\nrules['pull'] = lambda x, g: grad(x * x, x, g)[0]"),
    written("return torch.pull(x, g)", "def pull(x, g):\n    return grad(x * x, x, g)[0]\ntorch.pull = pull"),
    written("return Rule(x).g", "class Rule:\n    def __init__(self, x):\n        self.g = torch.func.grad(f)(x)"),
    written("names = [grad for grad in [1]]\n        return grad(out, x, g)[0]"),
    written("from torch.autograd import grad\n        return grad(out, x, g)[0]"),
    written("global grad\n        grad = grad\n        return grad(out, x, g)[0]"),
    FORMULA.replace("backward(ctx, g)", "backward(ctx, g, grad=grad)"),
    FORMULA.replace("    @staticmethod", "    grad = grad\n    @staticmethod"),
    written("def pull(grad):\n            return grad\n        return grad(out, x, g)[0]"),
    written("pull = lambda grad: grad\n        return grad(out, x, g)[0]"),
    written("return pull(x, g)", "def pull(x, g):\n    return grad(x, g)").replace(
        "return pull", "[pull for pull in []]\n        return pull"
    ),
]
OWN = [
    FORMULA,
    written(
        "return Other.backward(ctx, g)",
        "class Other(torch.autograd.Function):\n    @staticmethod\n    def backward(ctx, g):\n        return g",
    ),
    written("return super().backward(ctx, g)"),
    FORMULA + "\nx = torch.ones(1, requires_grad=True)\nSquare.apply(x).backward()\nprint(torch.autograd.grad(Square.apply(x), x))",
    FORMULA + "\ndef trial(x):\n    y = Square.apply(x)\n    y.backward()\n    return grad(y, x)",
    FORMULA + "\nx = torch.ones(1, requires_grad=True)\nslopes = [torch.func.grad(Square.apply)(x)]\nx.grad = None",
    written("return g * g.new_tensor(two)", "two = torch.ones(1) + 1\nlist_of = [two]"),
    written("trial = 2 * g\n        return trial", "def trial(x):\n    x.backward()"),
    written("return 2 * g", "from torch.autograd.function import once_differentiable"),
    FORMULA + "\ntorch.autograd.gradcheck(Square.apply, x)",
    FORMULA.replace("g)", "grad)").replace("* g", "* grad"),
    written("grad = 2 * g\n        return grad"),
    written("def pull(grad):\n            return 2 * grad\n        return pull(g)"),
    written("return sum(grad * 2 for grad in [g])"),
    written("return (lambda grad: 2 * grad)(g)"),
    written("for grad in [g]:\n            grad = [grad.exp() for _ in range(3)][0]\n        return grad"),
    written("grad = None\n        if ctx.needs_input_grad[0]:\n            grad = g\n        return [lambda: grad][0]()"),
]


@pytest.mark.parametrize("source", HANDED_OVER)
def test_a_gradient_by_autograd_is_refused(source: str) -> None:
    with pytest.raises(NotPassed, match="function-autograd"):
        check_own_gradients(parse_sources([source]), ["Square"])


@pytest.mark.parametrize("solution", HANDED_OVER)
def test_a_solution_that_does_so_is_known(solution: str) -> None:
    assert uses_autograd(parse_sources([solution]), ["Square"])
    assert not uses_autograd(parse_sources([FORMULA]), ["Square"])


def test_it_is_right_where_the_solution_does_so() -> None:
    forward = "    @staticmethod\n    def forward(ctx, x):\n        return x * x\n"
    formula, handed_over = (source + forward for source in (FORMULA, HANDED_OVER[0]))
    for solution, code in ((handed_over, None), (formula, "function-autograd")):
        exercise = Rubric(functions=["Square"], checks="", solution=solution)
        assert codes(grade(handed_over, exercise))["functions"] == code


@pytest.mark.parametrize("source", OWN)
def test_a_formula_is_not_refused_nor_autograd_elsewhere(source: str) -> None:
    check_own_gradients(parse_sources([source]), ["Square"])
