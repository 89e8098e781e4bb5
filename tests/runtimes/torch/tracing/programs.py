"""Programs that are hard to observe without changing what they do. Each prints what it can see of itself."""

import textwrap

from tests.runtimes.functions import CUBE, DRAWING, LEAF, NOT_A_LEAF, SINH, SINH_BAD, SQUARE

_FUNCTION = """
import torch
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        {forward}
    @staticmethod
    def backward(ctx, g):
        {backward}
x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.double, requires_grad=True)
"""


def function(forward: str, backward: str, use: str) -> str:
    bodies = [textwrap.indent(textwrap.dedent(body).strip(), 8 * " ").lstrip() for body in (forward, backward)]
    return _FUNCTION.format(forward=bodies[0], backward=bodies[1]) + textwrap.dedent(use)


SAVES = "ctx.save_for_backward(x); return x * x"
USES = "x, = ctx.saved_tensors; return 2 * x * g"
PASS = "F.apply(x).sum().backward()\nprint(x.grad)\n"

PROGRAMS = {
    "a square": SQUARE + NOT_A_LEAF + DRAWING,
    "sinh": SINH + LEAF + DRAWING,
    "a sinh that is wrong": SINH_BAD + LEAF + DRAWING,
    "a cube": CUBE + NOT_A_LEAF + DRAWING,
    "an input whose storage is freed": function(
        "y = x.detach() * 2; ctx.n = x.numel(); x.untyped_storage().resize_(0); return y",
        "return 2 * g",
        "z = x * 1\nF.apply(z).sum().backward()\nprint(x.grad, z.untyped_storage().nbytes())\n",
    ),
    "a thousand Functions in a row": function(
        SAVES, USES, "y = x\nfor _ in range(1000):\n    y = F.apply(y * 0.5)\ny.sum().backward()\nprint(x.grad)\n"
    ),
    "a returned buffer that changes later": function(
        "ctx.buffer = torch.zeros_like(x); return x * 2",
        "ctx.buffer.add_(g); return ctx.buffer",
        "y = F.apply(x)\n(y * y).sum().backward(retain_graph=True)\nprint(x.grad)\n(y * y).sum().backward()\nprint(x.grad)\n",
    ),
    "gradients with strides": function(
        "return x * 2",
        "print(g.stride(), g.is_contiguous()); return g",
        (
            "y = x.expand(4, 3).t()\n"
            "F.apply(y).sum().backward()\n"
            "F.apply(x.reshape(3, 1)).t().expand(2, 3).sum().backward()\n"
            "print(x.grad.stride())\n"
        ),
    ),
    "a backward that deletes what it kept": function(
        "ctx.kept = x * 2; return x * x", "kept = ctx.kept; del ctx.kept; print(hasattr(ctx, 'kept')); return kept * g", PASS
    ),
    "a backward in place": function(
        "ctx.save_for_backward(x); return x * x", "x, = ctx.saved_tensors; g = g.clone(); g *= 2; g *= x; return g", PASS
    ),
    "a backward that changes what it received": function(
        SAVES, "g.mul_(3); return g", "y = F.apply(x)\ny.backward(torch.ones(3).double())\nprint(x.grad)\n"
    ),
    "hooks on saved tensors": """
import torch
def pack(t):
    print("pack", tuple(t.shape))
    return t * 2
def unpack(t):
    print("unpack", tuple(t.shape))
    return t / 2
x = torch.rand(3, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
    y = (x * x).exp().sum()
y.backward()
print(x.grad.shape)
""",
    "unbalanced hooks on saved tensors": """
import torch
torch._C._autograd._push_saved_tensors_default_hooks(lambda t: t, lambda t: t)
x = torch.rand(3, requires_grad=True)
(x * x).sum().backward()
print(x.grad is not None)
""",
    "hooks of a program": """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
y.register_hook(lambda g: print("tensor", g) or g * 2)
y.grad_fn.register_prehook(lambda gs: print("before", gs))
y.grad_fn.register_hook(lambda ins, outs: print("after", ins, outs))
x.register_post_accumulate_grad_hook(lambda t: print("accumulated", t.grad))
y.retain_grad()
y.sum().backward()
print(x.grad, y.grad, x._backward_hooks, y.grad_fn.metadata)
""",
    "asks which nodes will run": """
import torch
x = torch.rand(2, requires_grad=True)
a, b = x * 2, x * 3
def ask(g):
    print(torch._C._will_engine_execute_node(a.grad_fn))
c = a + b
c.register_hook(ask)
torch.autograd.grad(c.sum(), b, retain_graph=True)
c.sum().backward()
""",
    "backward in ten threads": """
import threading, torch
x = torch.ones(4, requires_grad=True)
def work():
    for _ in range(5):
        (x * x).sum().backward()
threads = [threading.Thread(target=work) for _ in range(10)]
[t.start() for t in threads]
[t.join() for t in threads]
print(x.grad)
""",
    "outputs that are no tensors": function(
        "return x * 2, 3, None, 'text'", "raise ValueError('never')", "print(F.apply(x)[1:])\n"
    ).replace("def backward(ctx, g)", "def backward(ctx, g, *others)"),
    "an input that is returned": function("return x", "return g * 2", PASS + "y = F.apply(x)\nprint(y is x, y._is_view())\n"),
    "autograd inside backward": function(
        "ctx.save_for_backward(x); return x.sin()",
        """
        x, = ctx.saved_tensors
        with torch.enable_grad():
            again = x.detach().requires_grad_()
            inner, = torch.autograd.grad(again.sin().sum(), again)
        return inner * g
        """,
        PASS,
    ),
    "a graph that forward has freed": function(
        """
        with torch.enable_grad():
            y = x * x
            ctx.slope, = torch.autograd.grad(y.sum(), x)
        return y.clone()
        """,
        "return g * ctx.slope",
        PASS,
    ),
    "checkpoints": """
import torch
from torch.utils.checkpoint import checkpoint
x = torch.rand(3, requires_grad=True)
def f(x):
    print("forward")
    return (x * x).sin()
for reentrant in (True, False):
    checkpoint(f, x, use_reentrant=reentrant).sum().backward()
    print(x.grad)
""",
    "torch.func": """
import torch
from torch.func import grad, vmap, jvp, hessian
print(vmap(grad(lambda x: (x ** 3).sum()))(torch.arange(6.0).reshape(2, 3)))
print(jvp(torch.sin, (torch.ones(2),), (torch.ones(2),)))
print(hessian(lambda x: (x ** 3).sum())(torch.ones(2)))
""",
    "complex numbers": (
        "import torch\nz = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)\n(z * z.conj()).real.sum().backward()\nprint(z.grad)\n"
    ),
    "sparse gradients": """
import torch
e = torch.nn.Embedding(5, 2, sparse=True)
e(torch.tensor([1, 3, 1])).sum().backward()
print(e.weight.grad)
""",
    "a graph that is retained": (
        "import torch\n"
        "x = torch.ones(2, requires_grad=True)\n"
        "y = (x ** 3).sum()\n"
        "y.backward(retain_graph=True)\n"
        "y.backward()\n"
        "print(x.grad)\n"
    ),
    "an exception half-way": function(SAVES, "raise ValueError('half-way')", "y = (F.apply(x * 2) * 3).sum()\ny.backward()\n"),
    "a caught exception": function(
        SAVES,
        "raise ValueError('half-way')",
        "import traceback\ntry:\n    F.apply(x).sum().backward()\nexcept ValueError:\n    traceback.print_exc()\nprint(x.grad)\n",
    ),
    "a stack that is printed": function(
        SAVES,
        "import traceback; traceback.print_stack(); x, = ctx.saved_tensors; return 2 * x * g",
        "F.apply(x).sum().backward()\n",
    ),
    "warnings": (
        "import torch, warnings\nx = torch.ones(2, requires_grad=True)\ny = x * 2\nprint(y.grad)\ny.sum().backward(create_graph=True)\n"
    ),
    "random numbers": function(
        "ctx.mask = torch.rand(3); return x * ctx.mask", "return g * ctx.mask * torch.rand(3)", PASS + "print(torch.rand(2))\n"
    ),
    "recursion to its limit": "def f(n):\n    return f(n + 1)\ntry:\n    f(0)\nexcept RecursionError as error:\n    print(type(error))\n",
    "a Function in a recursion": function(
        SAVES, USES, "def deep(x, n):\n    return deep(F.apply(x), n - 1) if n else x\ndeep(x * 0.5, 100).sum().backward()\nprint(x.grad)\n"
    ),
    "weak references": function(
        "ctx.big = x * 2; return x * x",
        "return g * ctx.big",
        """
        import weakref, gc
        y = F.apply(x)
        node, big = weakref.ref(y.grad_fn), weakref.ref(y.grad_fn.big)
        y.sum().backward()
        print(node() is not None, big() is not None)
        del y
        print(node(), big())
        z = x * 2
        wz = weakref.ref(z)
        del z
        print(wz())
        """,
    ),
    "versions": function(
        SAVES,
        USES,
        (
            "y = x * 1\n"
            "z = F.apply(y)\n"
            "print(y._version, z._version, z.grad_fn.name())\n"
            "with torch.no_grad():\n"
            "    y.add_(1)\n"
            "z.sum().backward()\n"
        ),
    ),
    "a tracer of its own": (
        "import sys\n"
        "seen = []\n"
        "def trace(frame, event, arg):\n"
        "    seen.append(frame.f_code.co_name)\n"
        "sys.settrace(trace)\n"
        "def f():\n"
        "    pass\n"
        "f()\n"
        "sys.settrace(None)\n"
        "print(seen)\n"
    ),
    "modes": """
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
class Functions(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print("function", getattr(func, "__name__", "?"))
        return func(*args, **(kwargs or {}))
class Dispatch(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        print("dispatch", func)
        return func(*args, **(kwargs or {}))
x = torch.ones(2, requires_grad=True)
with Functions(), Dispatch():
    (x * 2).sum().backward()
""",
    "a subclass": """
import torch
class Loud(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print(getattr(func, "__name__", "?"))
        return super().__torch_function__(func, types, args, kwargs or {})
x = torch.ones(2).as_subclass(Loud).requires_grad_()
(x * 2).sum().backward()
""",
    "counts of references": function(
        SAVES,
        USES,
        (
            "import sys\n"
            "y = F.apply(x)\n"
            "print(sys.getrefcount(y), sys.getrefcount(x), sys.getrefcount(y.grad_fn))\n"
            "y.sum().backward()\n"
            "print(sys.getrefcount(x.grad))\n"
        ),
    ),
    "a Function with setup_context": """
import torch
class Power(torch.autograd.Function):
    @staticmethod
    def forward(x, n):
        return x ** n
    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.n = inputs
        ctx.save_for_backward(x)
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return ctx.n * x ** (ctx.n - 1) * g, None
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Power.apply(x, 3)
g, = torch.autograd.grad(y.sum(), x, create_graph=True)
g.sum().backward()
print(x.grad)
""",
    "a Function that prints": function(
        "print('forward', torch.is_grad_enabled()); ctx.save_for_backward(x.exp()); return x.exp()",
        "print('backward', torch.is_grad_enabled()); return ctx.saved_tensors[0] * g",
        PASS,
    ),
    "generators and comprehensions": (
        "import torch\n"
        "x = torch.ones(2, requires_grad=True)\n"
        "sum((x * i for i in range(5)), x).sum().backward()\n"
        "print([x.grad * i for i in range(2)])\n"
    ),
    "an engine that is called twice at once": """
import torch
x = torch.ones(2, requires_grad=True)
y = x * 2
y.register_hook(lambda g: (x * 5).sum().backward())
y.sum().backward()
print(x.grad)
""",
    "a drawn graph that is let go": """
import gc, torch, torchviz, weakref
x = torch.ones(2, requires_grad=True)
y = (x * 2).exp()
torchviz.make_dot(y, show_saved=True)
node = weakref.ref(y.grad_fn)
y.sum().backward()
del y
gc.collect()
print(node())
""",
    "local tensors that are let go": """
import torch, weakref
def work():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = weakref.ref(y)
    y.sum().backward()
    del y
    print(z())
    x = None
    return z
print(work()())
""",
    "saved tensors in a drawing": """
import torch, torchviz
x = torch.ones(3, requires_grad=True)
w, b = torch.ones(3), torch.ones(3)
y = ((x * w) * b).relu()
torchviz.make_dot(y, params={"x": x}, show_attrs=True, show_saved=True)
torchviz.make_dot((y * w).sum(), show_saved=True)
""",
    "a second derivative of what has only one": function(
        SAVES,
        USES,
        (
            "import traceback\n"
            "F.backward = staticmethod(torch.autograd.function.once_differentiable(F.__dict__['backward'].__func__))\n"
            "grad, = torch.autograd.grad(F.apply(x).sum(), x, create_graph=True)\n"
            "try:\n    grad.sum().backward()\nexcept RuntimeError:\n    traceback.print_exc()\n"
        ),
    ),
    "numpy in a Function": function(
        "ctx.save_for_backward(x); return torch.as_tensor(x.detach().numpy() ** 2)",
        "x, = ctx.saved_tensors; return torch.as_tensor(2 * x.detach().numpy() * g.numpy())",
        PASS,
    ),
    "a complex Function": function(
        "ctx.save_for_backward(x); return x * x.conj()",
        "x, = ctx.saved_tensors; return 2 * g.real * x",
        "z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)\nF.apply(z).real.sum().backward()\nprint(z.grad)\n",
    ),
    "a sparse gradient of a Function": function(
        "ctx.n = len(x); return x[1:2].clone()",
        "return torch.sparse_coo_tensor(torch.tensor([[1]]), g, (ctx.n,))",
        "F.apply(x).sum().backward()\nprint(x.grad, x.grad.layout)\n",
    ),
    "a hook that raises": """
import torch, traceback
x = torch.ones(2, requires_grad=True)
y = x * 2
y.grad_fn.register_prehook(lambda grads: 1 / 0)
try:
    (y * y).sum().backward()
except ZeroDivisionError:
    traceback.print_exc()
(x * 3).sum().backward()
print(x.grad)
""",
    "hooks that replace gradients": """
import torch
x = torch.ones(2, requires_grad=True)
y = x * 2
y.grad_fn.register_prehook(lambda grads: (grads[0] * 5,))
y.grad_fn.register_hook(lambda sent, received: (sent[0] * 7, None))
y.register_hook(lambda grad: grad * 3)
y.sum().backward()
print(x.grad)
""",
    "an attribute that hides ctx's own": function(
        "ctx.metadata = x * 2; ctx.saved = [x, x * 3]; ctx.named = {'x': x, 2: x * 5}; return x * 2",
        "print(sorted(vars(ctx))); return g * 2",
        PASS,
    ),
    "gradients that are not materialized": function(
        "ctx.set_materialize_grads(False); return x * 2, x * 3",
        "print(g, h); return g if h is None else h",
        "a, b = F.apply(x)\nb.sum().backward()\nprint(x.grad)\n",
    ).replace("def backward(ctx, g)", "def backward(ctx, g, h)"),
    "an input that is changed in place": function(
        "x.mul_(2); ctx.mark_dirty(x); return x",
        "return g * 2",
        "y = x * 1\nz = F.apply(y)\nprint(z is y, y._version)\n" + "z.sum().backward()\nprint(x.grad)\n",
    ),
    "an audit of what is called": """
import sys, torch
seen = []
sys.addaudithook(lambda event, args: seen.append(event) if event.startswith(("exec", "compile")) else None)
x = torch.ones(2, requires_grad=True)
(x * 2).sum().backward()
print(seen)
""",
    "a profile of what is called": """
import sys, torch
seen = []
sys.setprofile(lambda frame, event, arg: seen.append(frame.f_code.co_name) if event == "call" else None)
x = torch.ones(2, requires_grad=True)
def f():
    return (x * 2).sum()
f().backward()
sys.setprofile(None)
print("f" in seen)
""",
}
