"""Thirty programs, as learners write them, that draw graphs of 10 to 2,000 nodes: chains, nets, recurrent, wide, and tangled ones."""

from typing import Any

import torchviz
from torchviz import dot

from app.protocol.records.graph import GraphRecord
from app.runtimes.torch.instruments.graph_instrument import drawn_graph
from app.runtimes.torch.instruments.graph_walk import GraphWalk

_SINES = """
import torch
from torchviz import make_dot

x = torch.tensor(0.5, requires_grad=True)
y = x
for _ in range({size}):
    y = y.sin()
make_dot(y, params={{"x": x}})
"""

_PRODUCTS = """
import torch
from torchviz import make_dot

w = torch.tensor(0.99, requires_grad=True)
y = torch.ones(3)
for _ in range({size}):
    y = y * w
make_dot(y.sum(), params={{"w": w}})
"""

_FAN = """
import torch
from torchviz import make_dot

w = torch.tensor(0.99, requires_grad=True)
y = torch.stack([w * i for i in range({size})]).sum()
make_dot(y, params={{"w": w}})
"""

_MLP = """
import torch
from torch import nn
from torchviz import make_dot

net = nn.Sequential(*[layer for _ in range({size}) for layer in (nn.Linear(4, 4), nn.ReLU())])
make_dot(net(torch.randn(2, 4)).mean(), params=dict(net.named_parameters()), show_saved={saved})
"""

_RESIDUAL = """
import torch
from torch import nn
from torchviz import make_dot

blocks = nn.ModuleList(nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 4)) for _ in range({size}))
x = torch.randn(2, 4)
for block in blocks:
    x = x + block(x)
make_dot(x.mean(), params=dict(blocks.named_parameters()))
"""

_CONVOLUTIONS = """
import torch
from torch import nn
from torchviz import make_dot

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Conv2d(4, 4, 3, padding=1), nn.Conv2d(4, 4, 3, padding=1)
        self.norm_one, self.norm_two = nn.BatchNorm2d(4), nn.BatchNorm2d(4)

    def forward(self, x):
        return torch.relu(x + self.norm_two(self.two(torch.relu(self.norm_one(self.one(x))))))

net = nn.Sequential(*[Block() for _ in range({size})])
make_dot(net(torch.randn(2, 4, 5, 5)).mean(), params=dict(net.named_parameters()))
"""

_LSTM = """
import torch
from torch import nn
from torchviz import make_dot

cell = nn.LSTMCell(3, 8)
h = c = torch.zeros(1, 8)
for x in torch.randn({size}, 1, 3):
    h, c = cell(x, (h, c))
make_dot(h.sum(), params=dict(cell.named_parameters()), show_saved={saved})
"""

_RECURRENT = """
import torch
from torch import nn
from torchviz import make_dot

net = nn.{kind}(3, 8)
y, _ = net(torch.randn({size}, 1, 3))
make_dot(y.sum(), params=dict(net.named_parameters()))
"""

_WIDE = """
import torch
from torchviz import make_dot

inputs = [torch.randn(3, requires_grad=True) for _ in range({size})]
make_dot(torch.stack(inputs).sum(), params={{f"x{{i}}": x for i, x in enumerate(inputs)}})
"""

_TREE = """
import torch
from torchviz import make_dot

values = [torch.randn(3, requires_grad=True) for _ in range({size})]
while len(values) > 1:
    values = [a + b for a, b in zip(values[::2], values[1::2])]
make_dot(values[0].sum())
"""

_TRANSFORMER = """
import torch
from torch import nn
from torchviz import make_dot

layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0)
net = nn.TransformerEncoder(layer, {size}, enable_nested_tensor=False)
make_dot(net(torch.randn(5, 1, 8)).mean(), params=dict(net.named_parameters()))
"""

_DENSE = """
import torch
from torch import nn
from torchviz import make_dot

layers = nn.ModuleList(nn.Linear(2 * (i + 1), 2) for i in range({size}))
seen = [torch.randn(1, 2)]
for layer in layers:
    seen.append(torch.relu(layer(torch.cat(seen, dim=1))))
make_dot(seen[-1].sum(), params=dict(layers.named_parameters()))
"""

_RUNGE_KUTTA = """
import torch
from torch import nn
from torchviz import make_dot

f = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))
y, h = torch.ones(1, 2), 0.1
for _ in range({size}):
    k1 = f(y)
    k2 = f(y + h / 2 * k1)
    k3 = f(y + h / 2 * k2)
    k4 = f(y + h * k3)
    y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
make_dot(y.sum(), params=dict(f.named_parameters()))
"""

_INNER_STEPS = """
import torch
from torchviz import make_dot

w, b = torch.randn(4, 4, requires_grad=True), torch.zeros(4, requires_grad=True)
x, fast = torch.randn(2, 4), (w, b)
for _ in range({size}):
    loss = (torch.tanh(x @ fast[0] + fast[1]) ** 2).mean()
    grads = torch.autograd.grad(loss, fast, create_graph=True)
    fast = tuple(p - 0.1 * g for p, g in zip(fast, grads))
make_dot((x @ fast[0] + fast[1]).sum(), params={{"w": w, "b": b}})
"""

_ALIGNMENT = """
import torch
from torchviz import make_dot

cost = torch.randn({size}, {size}, requires_grad=True)
best = {{}}
for i in range({size}):
    for j in range({size}):
        before = [best[k] for k in ((i - 1, j), (i, j - 1), (i - 1, j - 1)) if k in best]
        best[i, j] = cost[i, j] + (torch.logsumexp(torch.stack(before), 0) if before else 0.0)
make_dot(best[{size} - 1, {size} - 1], params={{"cost": cost}})
"""

PROGRAMS = {
    "chain, 8": _SINES.format(size=8),
    "chain, 100": _SINES.format(size=100),
    "chain, 900": _SINES.format(size=900),
    "shared factor, 100 steps": _PRODUCTS.format(size=100),
    "shared factor, 900 steps": _PRODUCTS.format(size=900),
    "shared factor, 1,000 products side by side": _FAN.format(size=1000),
    "MLP, 3 layers": _MLP.format(size=3, saved=False),
    "MLP, 50 layers": _MLP.format(size=50, saved=False),
    "MLP, 50 layers, saved tensors": _MLP.format(size=50, saved=True),
    "MLP, 270 layers": _MLP.format(size=270, saved=False),
    "residual, 8 blocks": _RESIDUAL.format(size=8),
    "residual, 40 blocks": _RESIDUAL.format(size=40),
    "residual, 120 blocks": _RESIDUAL.format(size=120),
    "convolutional residual, 16 blocks": _CONVOLUTIONS.format(size=16),
    "LSTM, 5 steps": _LSTM.format(size=5, saved=False),
    "LSTM, 25 steps": _LSTM.format(size=25, saved=False),
    "LSTM, 25 steps, saved tensors": _LSTM.format(size=25, saved=True),
    "LSTM, 127 steps": _LSTM.format(size=127, saved=False),
    "GRU, 25 steps": _RECURRENT.format(kind="GRU", size=25),
    "GRU, 100 steps": _RECURRENT.format(kind="GRU", size=100),
    "RNN, 100 steps": _RECURRENT.format(kind="RNN", size=100),
    "wide sum, 500 inputs": _WIDE.format(size=500),
    "wide sum, 990 inputs": _WIDE.format(size=990),
    "tree, 512 inputs": _TREE.format(size=512),
    "transformer, 2 layers": _TRANSFORMER.format(size=2),
    "transformer, 18 layers": _TRANSFORMER.format(size=18),
    "dense net, 60 layers": _DENSE.format(size=60),
    "Runge-Kutta, 40 steps": _RUNGE_KUTTA.format(size=40),
    "gradients of gradients, 100 inner steps": _INNER_STEPS.format(size=100),
    "alignment, 19 by 19": _ALIGNMENT.format(size=19),
}


def draw_graph(source: str) -> GraphRecord:
    """Return the graph that a run of the program would show. make_dot is observed as in a run, but in this process and unconfined."""
    shown: list[GraphRecord] = []

    def observe(*args: Any, **kwargs: Any) -> None:
        shown.append(drawn_graph(dot.make_dot(*args, **kwargs).source, GraphWalk(args, kwargs)))

    make_dot, torchviz.make_dot = torchviz.make_dot, observe
    try:
        exec(compile(source, "<program>", "exec"), {})
    finally:
        torchviz.make_dot = make_dot
    return shown[0]
