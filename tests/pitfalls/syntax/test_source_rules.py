"""Programs that look like a mistake and are none, and one mistake for each rule."""

from app.pitfalls.syntax.source_rules import OF_BACKWARDS, OF_FUNCTIONS, OF_PROGRAMS, find_in_source
from tests.one_test import in_one_test

HEAD = """import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable
"""


def write(forward: str, backward: str, parameters: str = "ctx, x", gradients: str = "ctx, g", after: str = "", decorator: str = "") -> str:
    """A program with one Function, whose forward begins in line 7."""
    bodies = ["".join(f"        {line}\n" for line in body.split("\n")) for body in (forward, backward)]
    return (
        f"{HEAD}class F(Function):\n    @staticmethod\n    def forward({parameters}):\n{bodies[0]}\n"
        f"    @staticmethod\n{decorator}    def backward({gradients}):\n{bodies[1]}\n{after}"
    )


RIGHT = {
    "numpy of an index": write(
        "ctx.save_for_backward(x, i)\nreturn x[i]",
        "x, i = ctx.saved_tensors\nk = i.numpy()\nz = torch.zeros_like(x)\nreturn z.index_add(0, torch.from_numpy(k), g), None",
        "ctx, x, i",
    ),
    "numpy guarded": write(
        "ctx.save_for_backward(x)\nreturn x * x",
        "if torch.is_grad_enabled():\n    raise RuntimeError\n(x,) = ctx.saved_tensors\nreturn g * torch.from_numpy(2 * x.numpy())",
    ),
    "calls of backward counted": write("return x * 2", "global calls\ncalls += 1"),
    "list stacked": write(
        "return x * 2", "return g * 2", after="a = torch.ones(2, requires_grad=True)\nxs = [a, a]\nxs = torch.stack(xs)\nF.apply(xs)"
    ),
    "listed tensors also given": write(
        "return x * 2", "return g, None", "ctx, x, xs", after="a = torch.ones(2, requires_grad=True)\nF.apply(a, [a])"
    ),
    "data changed at the end": write(
        "ctx.save_for_backward(x)\nreturn x * x",
        "(x,) = ctx.saved_tensors\nreturn 2 * x * g",
        after="y = F.apply(a)\na.data.zero_()\nprint(y)",
    ),
    "copy of itself": write("x.copy_(x)\nreturn x * 2", "return g * 2"),
    "alias rebound": write("return x*2", "h = g\nh = h * 2\nh *= 3\nreturn h"),
    "contiguous": write("return x*2", "g = g.contiguous()\ng = g.clone()\ng *= 2\nreturn g"),
    "maybe": write("return x*2", "if g.is_contiguous():\n    g = g.clone()\ng = g + 0\ng.mul_(2)\nreturn g"),
    "param int aug": write("n += 1\nctx.n = n\nreturn x*n", "return g*ctx.n, None", "ctx, x, n"),
    "running stats": write("running.mul_(0.9).add_(x.mean(0))\nctx.save_for_backward(x)\nreturn x*1", "return g, None", "ctx, x, running"),
    "raise": write("return x*2", "raise NotImplementedError"),
    "pass": write("return x*2", "pass"),
    "return none": write("return x.round()", "return None"),
    "dispatch": write("ctx.m=m\nreturn x*2", "if ctx.m == 1:\n    return g*2, None\nelif ctx.m == 2:\n    return g*2, None", "ctx, x, m"),
    "with": write("return x*2", "with torch.no_grad():\n    h = g*2\n    return h"),
    "try": write("return x*2", "try:\n    h = g*2\nfinally:\n    pass\nreturn h"),
    "many None": write("return x*2", "return g*2, None, None, None", "ctx, x, a, b=1, c=None"),
    "default unused": write("return x*2", "return g*2", "ctx, x, a=2", after="F.apply(torch.ones(2))"),
    "tuple var": write("return x*y", "r = (g, g)\nreturn r", "ctx, x, y"),
    "grad tuple": write("return x*y", "return torch.autograd.grad(ctx.o, ctx.i, g)", "ctx, x, y"),
    "plus tuple": write("return x*y", "return (g,) + (None,)", "ctx, x, y"),
    "plus tuple2": write("return x*y", "r = (g,)\nreturn r + (None,)*1", "ctx, x, y"),
    "star": write("return x*y", "return (g, *([None]*1))", "ctx, x, y"),
    "varargs": write("return x", "return g, None, None", "ctx, x, *rest"),
    "save superset": write(
        "ctx.save_for_backward(x)\nif y is not None:\n    ctx.save_for_backward(x, y)\nreturn x", "return g, None", "ctx, x, y"
    ),
    "save loop break": write(
        "for t in ts:\n    if t is not None:\n        ctx.save_for_backward(t)\n        break\nreturn ts[0]*1", "return g, None", "ctx, *ts"
    ),
    "saved idx": write("ctx.save_for_backward(x)\nreturn x*x", "x = ctx.saved_tensors\nreturn 2*x[0]*g"),
    "saved tuple pass": write("ctx.save_for_backward(x)\nreturn x*x", "saved = ctx.saved_tensors\nreturn h(g, *saved)"),
    "saved tuple as index": write("ctx.save_for_backward(x)\nreturn x*x", "i = ctx.saved_tensors\nreturn g[i]"),
    "apply alias same name": write("return x*2", "return g*2", after="F = F.apply\nF(torch.ones(2))"),
    "method apply": write("return x*2", "return g*2", after="def f(F):\n    return F(2)\n"),
    "super fwd": write(
        "return x*2", "return g*2", after="class G(F):\n    @staticmethod\n    def forward(ctx, x):\n        return F.forward(ctx, x)+1\n"
    ),
    "detach mask": write("ctx.save_for_backward(x)\nreturn x.relu()", "(x,) = ctx.saved_tensors\nm = x.detach() > 0\nreturn g*m"),
    "detach mask2": write(
        "ctx.save_for_backward(x)\nreturn x.relu()", "(x,) = ctx.saved_tensors\nm = (x.data > 0).to(g.dtype)\nreturn g*m"
    ),
    "detach shape": write(
        "ctx.save_for_backward(x)\nreturn x.relu()",
        "(x,) = ctx.saved_tensors\nz = torch.zeros_like(x.detach())\nreturn torch.where(x>0, g, z)",
    ),
    "detach where": write(
        "ctx.save_for_backward(x)\nreturn x.relu()", "(x,) = ctx.saved_tensors\nx = x.detach()\nreturn torch.where(x > 0, g, 0)"
    ),
    "detach once": write(
        "ctx.save_for_backward(x)\nreturn x*x",
        "(x,) = ctx.saved_tensors\nx = x.detach()\nreturn 2*x*g",
        decorator="    @once_differentiable\n",
    ),
    "checkpoint": write(
        "ctx.save_for_backward(x)\nreturn x*x",
        (
            "(x,) = ctx.saved_tensors\nx = x.detach()\nx.requires_grad_()\nwith torch.enable_grad():\n"
            "    y = x*x\nreturn torch.autograd.grad(y, x, g)[0]"
        ),
    ),
    "item of len": write(
        "ctx.save_for_backward(x, n)\nreturn x*n", "x, n = ctx.saved_tensors\nk = n.item()\nreturn g*k, None", "ctx, x, n"
    ),
    "np shape": write("ctx.save_for_backward(x)\nreturn x*1", "import numpy as np\n(x,) = ctx.saved_tensors\nreturn g*np.prod(x.shape)"),
    "log numpy": write("ctx.save_for_backward(x)\nreturn x*1", "log.append(g.detach().cpu().numpy())\nreturn g"),
    "rand seeded": write("ctx.s=1\nreturn x*torch.rand(2)", "torch.manual_seed(ctx.s)\nm = torch.rand(2)\nreturn g*m"),
    "rand unused": write("return x*1", "r = torch.rand(1)\nprint(r)\nreturn g"),
    "container none": write("return [x]", "return None"),
    "container tuple": write(
        "out = []\nfor a in x:\n    out.append(a*1)\nout = tuple(out)\nreturn out", "return torch.stack(g)", gradients="ctx, *g"
    ),
    "nonlocal name": HEAD + "w = torch.randn(2, requires_grad=True)\n" + write("w = x*2\nreturn w", "return g*2"),
    "closure shape": HEAD + "w = torch.randn(2, requires_grad=True)\n" + write("return x.reshape(w.shape)", "return g"),
    "closure cond": HEAD + "w = torch.randn(2, requires_grad=True)\n" + write("return x * (w > 0)", "return g"),
    "closure detach": HEAD + "w = torch.randn(2, requires_grad=True)\n" + write("return x * w.detach()", "return g"),
    "grad f32 tol": write(
        "return x*1",
        "return g",
        after="from torch.autograd import gradcheck\nx=torch.randn(2,requires_grad=True)\ngradcheck(F.apply,(x,),eps=1e-2,atol=1e-2)",
    ),
    "f32 default": "import torch\ntorch.set_default_dtype(torch.float64)\n"
    + write(
        "return x*1", "return g", after="from torch.autograd import gradcheck\nx=torch.randn(2,requires_grad=True)\ngradcheck(F.apply,(x,))"
    ),
    "f32 default2": "import torch\ntorch.set_default_tensor_type(torch.DoubleTensor)\n"
    + write(
        "return x*1", "return g", after="from torch.autograd import gradcheck\nx=torch.randn(2,requires_grad=True)\ngradcheck(F.apply,(x,))"
    ),
    "ret input not mutated": write("return x", "return -g", after="y = F.apply(x)\ny = y + 1\ny += 1\ny.sum().backward()"),
    "ret input nograd": write("return x", "return -g", after="with torch.no_grad():\n    y = F.apply(x)\n    y += 1\nz.backward()"),
    "apply mutated dirty": write(
        "ctx.mark_dirty(x)\nx.mul_(2)\nreturn x", "return 2*g", after="y = F.apply(x)\ny += 1\ny.sum().backward()"
    ),
    "dirty in if": write(
        "if inplace:\n    ctx.mark_dirty(x)\n    y = x.mul_(2)\nelse:\n    y = x*2\nreturn y", "return 2*g, None", "ctx, x, inplace"
    ),
    "lists": write("return x*1", "gs = [g]\ngs[0] = g*2\nreturn gs[0]"),
    "grads list": write("return x*1", "gs = list(gs)\ngs[0] = gs[0]*2\nreturn tuple(gs)", gradients="ctx, *gs"),
    "new_zeros": write("ctx.save_for_backward(x)\nreturn x[0]", "(x,) = ctx.saved_tensors\no = torch.zeros_like(x)\no[0] = g\nreturn o"),
    "saved buffer": write(
        "y = torch.softmax(x,-1)\nctx.save_for_backward(y)\nreturn -y.log().sum()", "(y,) = ctx.saved_tensors\ny.mul_(g)\nreturn y"
    ),
    "saved mask index": write("ctx.save_for_backward(x)\nreturn x*1", "(x,) = ctx.saved_tensors\ny = x[x > 0]\ny *= 2\nreturn g"),
    "gradient counted": write("return x*1", "g.requires_grad_(False)\nreturn g"),
    "sympy": "from sympy import Function\nclass F(Function):\n    @classmethod\n    def eval(cls, x):\n        return x\nF(2)\n",
    "sympy2": "import sympy as sp\nclass f(sp.Function):\n    def forward(self, x): return [x]\n    def backward(self, g): y = g*2\nf(2)\n",
    "init": HEAD
    + "class F(Function):\n    def __init__(self, a):\n        self.a=a\n    def forward(self, x):\n        return x\nF(2)(3)\n",
    "shared name": write("return x*1", "return g", after="class F(torch.nn.Module):\n    pass\nF()(2)\n"),
    "func ok": HEAD
    + (
        "class F(Function):\n    generate_vmap_rule = True\n    @staticmethod\n"
        "    def forward(x):\n        return x*2\n    @staticmethod\n"
        "    def setup_context(ctx, inputs, output):\n        pass\n    @staticmethod\n"
        "    def backward(ctx, g):\n        return 2*g\n    @staticmethod\n    def jvp(ctx, t):\n"
        "        return 2*t\ntorch.func.hessian(lambda x: F.apply(x).sum())(torch.ones(2))\n"
    ),
    "undefined ok": write(
        "ctx.set_materialize_grads(False)\nreturn x*1, x*2",
        "return a*1 + 2*b",
        gradients="ctx, a, b",
        after="y, z = F.apply(x)\n(y+z).sum().backward()",
    ),
    "undefined helper": write(
        "ctx.set_materialize_grads(False)\nreturn x*1, x*2",
        "b = zero_if_none(b)\nreturn a*1 + 2*b",
        gradients="ctx, a, b",
        after="y, _ = F.apply(x)\ny.sum().backward()",
    ),
    "data after step": write(
        "ctx.save_for_backward(x)\nreturn x*x",
        "(x,) = ctx.saved_tensors\nreturn 2*g*x",
        after="y = F.apply(w)\ny.sum().backward()\ny.data.clamp_(0)\n",
    ),
    "data before": write("x.data.clamp_(-1,1)\nctx.save_for_backward(x)\nreturn x*x", "(x,) = ctx.saved_tensors\nreturn 2*g*x"),
    "del": write("return x*1", "del g\nreturn None"),
    "where alias": write("return x*1", "h = g if ctx.needs_input_grad[0] else g.clone()\nh = h*2\nreturn h"),
    "kwonly default": write("return x*k", "return g*2", parameters="ctx, x, *, k=2", after="F.apply(torch.ones(2))"),
    "nested def": write("return x*1", "def f(g):\n    g *= 2\n    return g\nreturn f(g.clone())"),
    "comp": write("return x*1", "return tuple(g.mul(2) for g in gs)", gradients="ctx, *gs"),
    "vjp": write("return x*1", "return g", gradients="ctx, g"),
    "custom op": (
        'import torch\n@torch.library.custom_op("a::b", mutates_parameters=())\n'
        "def f(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\ny = f(x)\nprint(y)\n"
        "z.sum().backward()\n"
    ),
    "custom op dec": (
        'import torch\n@torch.library.custom_op("a::b", mutates_parameters=())\n'
        "def f(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\n"
        'torch.library.register_autograd("a::b", g)\nf(x).sum().backward()\n'
    ),
    "saved shape in ctx": write("ctx.shape = x.shape\nctx.save_for_backward(x.new_tensor(x.shape))\nreturn x*1", "return g"),
    "save none": write("ctx.save_for_backward(x, None, x if x is not None else None)\nreturn x*1", "return g"),
    "apply const tensor default": write("ctx.a=a\nreturn x*a", "return g*ctx.a, None", "ctx, x, a", after="F.apply(x, 2.0)"),
    "g for scalar guarded": write(
        "ctx.a=a\nreturn x*a",
        "ga = None\nif ctx.needs_input_grad[1]:\n    ga = g.sum()\nreturn g*ctx.a, ga",
        "ctx, x, a",
        after="F.apply(x, 2.0)",
    ),
    "g ifexp": write(
        "ctx.a=a\nreturn x*a", "return g*ctx.a, (g.sum() if ctx.needs_input_grad[1] else None)", "ctx, x, a", after="F.apply(x, 2.0)"
    ),
    "contig then": write("return x*1", "g = g.reshape(-1).contiguous()\ng[0] = 0\nreturn g"),
    "augassign num": write("ctx.n=3\nreturn x*1", "n = ctx.n\nn *= 2\nreturn g*n"),
    "assert false": write("return x*1", "y = g*2\nassert False"),
}

READ = "(x,) = ctx.saved_tensors\n"
SAVE = "ctx.save_for_backward(x)\n"
GRADCHECK = "x = torch.randn(3, requires_grad=True)\ntorch.autograd.gradcheck(F.apply, (x,))\n"
NEW_STYLE = """class G(Function):
    @staticmethod
    def forward(x):
        return x * 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        return g * 2
"""

# Each: the code, the text that the line found contains, and the program.
WRONG = [
    ("instantiated", "y = F(", write("return x * 2", "return g * 2", after="y = F(torch.ones(2))")),
    ("instantiated", "F()(", write("return x * 2", "return g * 2", after="y = F()(torch.ones(2))")),
    ("forward-called-directly", "F.forward(y", write("return x * 2", "return g * 2", after="F.forward(y)")),
    ("forward-called-directly", "F.forward(None", write(SAVE + "return x * 2", "return g * 2", after="F.forward(None, y)")),
    ("forward-called-directly", "G.forward", HEAD + NEW_STYLE + "G.forward(y).backward()"),
    ("keyword-arguments", "def forward", write("return x * k", "return g * 2", "ctx, x, *, k", after="F.apply(y, k=2)")),
    ("keyword-arguments", "return g * 3", write("return x * k", "return g * 3", "ctx, x, k=2", after="F.apply(y, k=2)")),
    ("create-graph-backward", "y.backward", write("return x * 2", "return g * 2", after="y.backward(create_graph=True)")),
    (
        "tensors-in-container",
        "def forward",
        write("return x[0] * 2", "return None", after="xs = [torch.ones(2, requires_grad=True)]\nF.apply(xs)"),
    ),
    ("saved-variables", "saved_variables", write(SAVE + "return x * 2", "(x,) = ctx.saved_variables\nreturn g * x")),
    ("saved-tensors-not-unpacked", "x = ctx", write(SAVE + "return x.exp()", "x = ctx.saved_tensors\nreturn g * torch.exp(x)")),
    ("saved-tensors-not-unpacked", "x = ctx", write(SAVE + "return x.exp()", "x = ctx.saved_tensors\nreturn g * x.exp()")),
    ("saved-tensors-not-unpacked", "x = ctx", write(SAVE + "return x * x", "x = ctx.saved_tensors\nreturn g * x")),
    ("saved-tensors-not-unpacked", "x = ctx", write(SAVE + "return x * x", "x = ctx.saved_tensors\nreturn 2 * x * g")),
    ("saved-twice", "backward(y)", write(SAVE + "ctx.save_for_backward(y)\nreturn x * y", "return g, g", "ctx, x, y")),
    (
        "saved-twice",
        "backward(a)",
        write("for a in xs:\n    ctx.save_for_backward(a)\nreturn xs[0] * 2", "return g, None", "ctx, *xs"),
    ),
    ("saved-non-tensor", "x.shape", write("ctx.save_for_backward(x.shape)\nreturn x * 2", "return g")),
    ("saved-non-tensor", "(x, 3)", write("ctx.save_for_backward(x, 3)\nreturn x * 2", "return g")),
    (
        "saved-non-tensor",
        "(x, n)",
        write("ctx.save_for_backward(x, n)\nreturn x * n", "return g, None", "ctx, x, n", after="F.apply(y, 3)"),
    ),
    ("backward-returns-nothing", "def backward", write("return x * 2", "grad = g * 2")),
    ("backward-returns-nothing", "def backward", write("return x * 2", "if g.numel() == 0:\n    return g\ngrad = g * 2")),
    ("backward-returns-nothing", "def backward", write("return x * 2", "if x:\n    h = g * 2\nelse:\n    return g")),
    ("wrong-gradient-count", "return g * y", write("return x * y", "return g * y", "ctx, x, y")),
    ("wrong-gradient-count", "return g, g", write("return x * 2", "return g, g")),
    ("wrong-gradient-count", "return (g, g)", write("return x * 2", "return (g, g)")),
    (
        "gradient-for-non-tensor",
        "return g * 2, g.sum()",
        write("return x * n", "return g * 2, g.sum()", "ctx, x, n", after="F.apply(y, 2)"),
    ),
    ("gradient-for-non-tensor", "return 2 * g, g", write("return x * n", "return 2 * g, g", "ctx, x, n", after="F.apply(y, 2)")),
    ("forward-returns-container", "return {", write("return {'a': x * 2}", "return g")),
    ("forward-returns-container", "return parts", write("parts = [x * 2]\nreturn parts", "return g")),
    ("grad-output-mutated", "g *= 2", write("return x * 2", "g *= 2\nreturn g")),
    ("grad-output-mutated", "g[g < 0]", write("return x * 2", "g[g < 0] = 0\nreturn g")),
    ("grad-output-mutated", "h.mul_", write("return x * 2", "h = g.view(-1)\nh.mul_(2)\nreturn g")),
    ("grad-output-mutated", "out=g", write("return x * 2", "torch.mul(g, 2, out=g)\nreturn g")),
    ("grad-output-mutated", "a.neg_()", write("return x * 2", "a, b = g.chunk(2)\na.neg_()\nreturn g")),
    ("grad-output-mutated", "g.add_", write("return x * 2", "for g in gs:\n    g.add_(1)\nreturn gs[0]", gradients="ctx, *gs")),
    ("grad-output-mutated", "return g.mul_", write("return x * 2", "return g.mul_(2)")),
    ("saved-tensor-mutated", "x.mul_", write(SAVE + "return x * x", READ + "return x.mul_(2) * g")),
    (
        "saved-tensor-mutated",
        "y *= g",
        write("y = x.exp()\nctx.save_for_backward(y)\nreturn y", "(y,) = ctx.saved_tensors\ny *= g\nreturn y"),
    ),
    ("missing-mark-dirty", "x.mul_", write("x.mul_(2)\nreturn x", "return g * 2")),
    ("missing-mark-dirty", "x[0] = 0", write("x[0] = 0\nreturn x * 2", "return g * 2")),
    ("numpy-in-place", "v += 1", write("v = x.numpy()\nv += 1\nreturn torch.from_numpy(v)", "return g * 2")),
    ("data-mutated", "x.data", write(SAVE + "y = x * x\nx.data.zero_()\nreturn y", READ + "return g * x")),
    (
        "data-mutated",
        "z.data",
        write(
            "y = x.exp()\nctx.save_for_backward(y)\nreturn y",
            "(y,) = ctx.saved_tensors\nreturn g * y",
            after="z = F.apply(a)\nz.data.zero_()\nz.backward()",
        ),
    ),
    (
        "data-mutated",
        "a.data",
        write(SAVE + "return x * x", READ + "return 2 * x * g", after="z = F.apply(a)\na.data.zero_()\nz.backward()"),
    ),
    ("returned-input-mutated", "return x", write("return x", "return -g", after="y = F.apply(z)\ny += 1\ny.sum().backward()")),
    ("numpy-in-backward", "x.numpy()", write(SAVE + "return x * x", READ + "s = x.numpy()\nreturn g * torch.from_numpy(s)")),
    ("detached-backward", "x.detach()", write(SAVE + "return x * x", READ + "x = x.detach()\nreturn 2 * g * x")),
    ("detached-backward", "x.data", write(SAVE + "return x * x", READ + "return 2 * g * x.data")),
    (
        "detached-saved",
        "save_for_backward(x.detach())",
        write("ctx.save_for_backward(x.detach())\nreturn x * x", READ + "return 2 * g * x"),
    ),
    ("backward-returns-nothing", "def backward", write(SAVE + "return x * x", READ + "grad_x = 2 * g * x\ngrad_k = None")),
    ("detached-saved", "ctx.x = x.detach()", write("ctx.x = x.detach()\nreturn x * x", "return 2 * g * ctx.x")),
    ("detached-saved", "ctx.x = x.data", write("ctx.x = x.data\nreturn x * x", "x = ctx.x\nreturn 2 * g * x")),
    (
        "grad-inside-backward",
        "autograd.grad",
        write(SAVE + "return x * x", READ + "x = x.detach().requires_grad_()\ny = x * x\nreturn torch.autograd.grad(y, x, g)[0]"),
    ),
    ("not-deterministic", "rand_like", write("return x * 2", "m = torch.rand_like(g) > 0.5\nreturn g * m")),
    (
        "undefined-gradient",
        "return a + 2 * b",
        write(
            "ctx.set_materialize_grads(False)\nreturn x * 1, x * 2",
            "return a + 2 * b",
            gradients="ctx, a, b",
            after="y, z = F.apply(x)\ny.sum().backward()",
        ),
    ),
    ("closure-tensor", "return x * w", "w = torch.ones(2, requires_grad=True)\n" + write("return x * w", "return g")),
    ("closure-tensor", "return x * w", "w = torch.nn.Parameter(torch.ones(2))\n" + write("return x * w", "return g")),
    ("float32-gradcheck", "gradcheck(", write("return x * 2", "return g * 2", after=GRADCHECK)),
    (
        "overlapping-memory",
        "gradcheck(",
        write("return x * 2", "return g * 2", after="z = a.expand(3, 2)\ntorch.autograd.gradcheck(F.apply, (z,))"),
    ),
    ("no-functorch", "def forward", write("return x * 2", "return g * 2", after="torch.func.grad(lambda x: F.apply(x).sum())(y)")),
    ("no-functorch", "class G", HEAD + NEW_STYLE + "torch.vmap(G.apply)(y)"),
    ("compile-drops-backward", "torch.compile", write("return x * 2", "return g * 2", after="torch.compile(torch.func.grad(F.apply))")),
    (
        "custom-op-no-autograd",
        "@torch.library",
        HEAD
        + (
            "@torch.library.custom_op('a::b', mutates_args=())\n"
            "def f(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\nf(x).sum().backward()\n"
        ),
    ),
]


@in_one_test("name", RIGHT)
def test_nothing_is_found_in_a_right_program(name: str) -> None:
    assert find_in_source(RIGHT[name]) == []


@in_one_test(("code", "text", "program"), WRONG)
def test_a_mistake_is_found_in_its_line(code: str, text: str, program: str) -> None:
    found = [finding for finding in find_in_source(program) if finding.code == code]

    assert len(found) == 1
    assert text in program.splitlines()[found[0].place.line - 1]


def test_every_code_of_every_rule_is_tried() -> None:
    found = [*OF_PROGRAMS.values(), *OF_FUNCTIONS.values(), *OF_BACKWARDS.values()]

    assert {code for codes in found for code in codes} == {code for code, _, _ in WRONG}


def test_a_place_counts_bytes() -> None:
    (found,) = find_in_source(write("return x * 2", "return g * 2", after="é = F(y)"))

    assert (found.place.column, found.places["callee"].column, found.places["callee"].end_column) == (5, 5, 6)


def test_a_change_that_would_not_help_is_not_offered() -> None:
    tensor = write("return x * y", "return g * y", "ctx, x, y")
    alias = write("return x * 2", "h = g.view(-1)\nh.mul_(2)\nreturn g")
    nested = write("return x * 2", "if x:\n    g.mul_(2)\nreturn g")
    number = write("ctx.save_for_backward(x, y)\nreturn x * y", "x, y = ctx.saved_tensors\nreturn g * y.item(), g.sum()", "ctx, x, y")

    assert [[finding.places for finding in find_in_source(program)] for program in (tensor, alias, nested, number)] == [[{}]] * 4


def test_what_is_to_be_replaced_is_named() -> None:
    program = write("return x * y", "return g * y, None", "ctx, x, y, z=1", after="F.apply(a, b, 1)")
    (found,) = find_in_source(program)
    place = found.places["returned"]

    assert found.values == {"function": "F", "count": 2, "expected_count": 3}
    assert program.splitlines()[place.line - 1][place.column : place.end_column] == "g * y, None"
