"""Programs print the same with and without instruments."""

import pytest

from app.runtimes.patches.server_paths import without_server_paths
from tests.runtimes.children import Children
from tests.runtimes.functions import CUBE, DRAWING, EXP, LEAF, NOT_A_LEAF, SINH, SINH_BAD, SQUARE

REPORT = """
import random, traceback, warnings, numpy
warnings.simplefilter("default")
def tell(call):
    try:
        print(call())
    except BaseException as error:
        traceback.print_exc(file=__import__("sys").stdout)
        print(repr(error), error.__context__ is None, error.__cause__ is None)
    print(random.random(), numpy.random.rand(), torch.rand(1).item())
"""
START = f"""
import torch, torchviz
from torch.autograd import gradcheck, gradgradcheck
x = torch.rand(3, requires_grad=True, dtype=torch.double)
{REPORT}"""
NO_ADDRESSES = "import re\ndef text(d): return re.sub(r'\\d{6,}', '#', d.source)\n"

COURSE = [f"{function}{x}{REPORT}" for function in (SQUARE, EXP, SINH, SINH_BAD, CUBE) for x in (LEAF, NOT_A_LEAF)]
CHECKED = [
    f"{program}tell(lambda: torch.autograd.gradcheck(function, x))\ntell(lambda: torch.autograd.gradgradcheck(function, x))"
    for program in COURSE
]
DRAWN = [
    program
    + NO_ADDRESSES
    + DRAWING.replace("torchviz.make_dot", "d = torchviz.make_dot")
    + "print(text(d), len(d.body), type(d), vars(d).keys())\n"
    for program in COURSE
]
CALLS = [
    "gradcheck(torch.sin, x, fast_mode=True)",
    "gradcheck(torch.sin, x, check_forward_ad=True, check_batched_grad=True)",
    "gradcheck(torch.sin, x, check_forward_ad=True, check_backward_ad=False)",
    "gradcheck(lambda x: x.data * 2, x)",
    "gradcheck(lambda x: x.data * 2 + x, x)",
    "gradcheck(lambda x: x.data * 2 + x, x, raise_exception=False)",
    "gradcheck(lambda x: x.data * 2 + x, x, fast_mode=True)",
    "gradcheck(lambda x: (x * 2, x.data + x, x * torch.rand(3)), x, nondet_tol=1.0)",
    "gradcheck(lambda x: x * torch.rand(3), x)",
    "gradgradcheck(torch.sin, x, gen_non_contig_grad_outputs=True)",
    "gradgradcheck(lambda x: x.data * x * x, x, raise_exception=False)",
    "gradgradcheck(torch.sin, x, torch.ones(3, dtype=torch.double, requires_grad=True))",
    "gradcheck(torch.sin, x, eps='x')",
    "gradcheck(torch.sin, 3)",
    "gradcheck()",
    "gradcheck(torch.sin, x.detach())",
    "gradcheck(lambda x: print('called') or x * 2, x)",
    "gradcheck(lambda x: warnings.warn('w', stacklevel=2) or x * 2, x)",
    "gradcheck(lambda x: (_ for _ in ()).throw(KeyError('k')), x)",
    "gradcheck(lambda x: exit(3), x)",
    "gradcheck(torch.sin, torch.rand(2, requires_grad=True))",
    "gradcheck(torch.abs, torch.rand(2, dtype=torch.cdouble, requires_grad=True))",
    "gradcheck(lambda z: z.conj() * z.detach(), torch.rand(2, dtype=torch.cdouble, requires_grad=True))",
    "gradcheck(lambda x, y: x @ y, (torch.rand(2, 3, requires_grad=True).double(), torch.rand(3, 4, requires_grad=True).double()))",
    "torchviz.make_dot(3)",
    "torchviz.make_dot([x])",
    "torchviz.make_dot(x, params={'x': 3})",
    "torchviz.make_dot(x, bogus=1)",
    "torchviz.make_dot(x * 2, params={'x': x}, show_attrs=True).filename",
    "torchviz.make_dot.__doc__[:20], torchviz.make_dot.__module__, torchviz.make_dot is torchviz.dot.make_dot",
    "gradcheck is torch.autograd.gradcheck, gradcheck.__module__, gradcheck.__qualname__, __import__('inspect').signature(gradcheck)",
    "[h(x.clone()) for h in [lambda t: t.register_hook(print)]] and (x * 2).sum().backward()",
    "torch.autograd.grad((x ** 3).sum(), x, create_graph=True)[0].sum().backward() or x.grad",
    "__import__('sys')._getframe().f_back.f_code.co_name",
    "[each.name for each in traceback.extract_stack()][-2:]",
]
OTHERS = [
    "y = x.exp(); y.sum().backward()\ntell(lambda: torchviz.make_dot(y, show_saved=True))\ntell(lambda: y.sum().backward())",
    "import weakref, gc\ny = x * 2\nalive = weakref.ref(y)\nd = torchviz.make_dot(y)\ndel y\ngc.collect()\nprint(alive())",
    "calls = []\ndef f(x): return calls.append(x.shape) or x * x.detach()\ntell(lambda: gradcheck(f, x))\nprint(type(x.grad), x._version)",
    "import threading\nt = threading.Thread(target=lambda: tell(lambda: gradcheck(lambda x: x * x.data, x)))\nt.start(); t.join()",
    "with torch.no_grad():\n    tell(lambda: gradcheck(torch.sin, x))",
    "with torch.autograd.detect_anomaly():\n    tell(lambda: gradcheck(torch.sin, x))",
    "tell(lambda: gradcheck(lambda x: x.data * torch.rand(1).item(), x))\nprint(torch.get_rng_state().sum())",
    "y = x\nfor _ in range(1500): y = y + 1\ntry: torchviz.make_dot(y)\nexcept RecursionError as e: print(e)",
    """
import contextlib, io
with contextlib.redirect_stdout(io.StringIO()) as out:
    tell(lambda: gradcheck(lambda x: print('in') or x.data + x, x))
print(out.getvalue())
""",
]
PROGRAMS = [*CHECKED, *DRAWN, *(f"{START}tell(lambda: ({call}))" for call in CALLS), *(f"{START}{program}" for program in OTHERS)]


def test_there_are_sixty_of_them() -> None:
    assert len(set(PROGRAMS)) >= 60


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_observed_program_prints_what_it_prints_unobserved(children: Children, bare_children: Children, program: str) -> None:
    observed, bare = children.run(program), bare_children.run(program)
    assert observed.stdout == bare.stdout
    assert observed.stderr == without_server_paths(bare.stderr)
