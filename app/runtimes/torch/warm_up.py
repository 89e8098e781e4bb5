"""The programs of the warm-up. A zygote executes them, and a waiting child executes one of them again.

They must not cause a warning that Python gives only once, because then no learner would see it.
"""

from app.protocol.run import Program, Source

_FUNCTION = """
import torch
from torch.autograd import gradcheck, gradgradcheck


class WarmUp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        up, down = torch.exp(x), torch.exp(-x)
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, grad_out, grad_up, grad_down):
        up, down = ctx.saved_tensors
        return grad_out * (up + down) / 2 + grad_up * up - grad_down * down


def warm_up(x):
    return WarmUp.apply(x)[0]


x = torch.rand(2, 2, requires_grad=True, dtype=torch.double)
gradcheck(warm_up, x)
"""

_CHECKS_AND_GRAPH = """
import torchviz


class WarmUpBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.up = torch.exp(x)
        return ctx.up * 2

    @staticmethod
    def backward(ctx, grad_out):
        return grad_out * ctx.up * 2


gradgradcheck(warm_up, x)
gradcheck(WarmUpBad.apply, x)
gradgradcheck(WarmUpBad.apply, x, raise_exception=False)
out = warm_up(x)
grad_x, = torch.autograd.grad(out.sum(), x, create_graph=True)
print(grad_x, x.dtype, f"{out.sum().item():.4f}", end="")
(x * 2).sum().backward()
dot = torchviz.make_dot((grad_x, x, out), params={"grad_x": grad_x, "x": x, "out": out})
dot.pipe(format="svg")
x
"""

_TRAINING = """
import numpy as np
import torch
from torch import nn
from torch.func import functional_call, grad, hessian, jacrev, jvp, vmap
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset

model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8, 3))
for optimizer in (torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9), torch.optim.Adam(model.parameters())):
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    for images, labels in DataLoader(TensorDataset(torch.rand(4, 1, 6, 6), torch.tensor([0, 1, 2, 0])), batch_size=2, shuffle=True):
        optimizer.zero_grad()
        F.cross_entropy(model(images), labels).backward()
        optimizer.step()
    scheduler.step()

sequence = torch.rand(3, 2, 4, requires_grad=True)
outputs, _ = nn.LSTM(4, 4)(sequence)
heads = outputs.unsqueeze(0)
attention = F.scaled_dot_product_attention(heads, heads, heads, is_causal=True)
encoded = nn.TransformerEncoderLayer(4, 2)(sequence)
(attention.sum() + encoded.sum() + checkpoint(torch.sin, sequence, use_reentrant=False).sum()).backward()


def f(x):
    return (x**3).sum()


x = torch.rand(3)
vmap(grad(f))(torch.rand(2, 3))
jvp(f, (x,), (x,))
jacrev(torch.sin)(x)
hessian(f)(x)
layer = nn.Linear(3, 1)
functional_call(layer, dict(layer.named_parameters()), (x,))

square = (torch.rand(3, 3, dtype=torch.double) + 3 * torch.eye(3)).requires_grad_()
u, s, v = torch.linalg.svd(square)
q, r = torch.linalg.qr(square)
(torch.linalg.inv(square) + torch.linalg.solve(square, square) + u + v + q + r).sum().backward()
torch.linalg.eigh(square.detach())
matrix = square.detach().numpy()
np.linalg.svd(np.linalg.inv(matrix)), np.linalg.eig(matrix), np.fft.fft(matrix)
print(model, optimizer)
"""

_FAILING = "import torch\n(torch.ones(2) @ torch.ones(3)).sum()\n"

TOUCH = Program(source=Source(text=_FUNCTION, cell="warm-up"))  # short, because each page that a waiting child writes takes memory
PROGRAMS = (
    TOUCH,
    Program(source=Source(text=_FUNCTION + _CHECKS_AND_GRAPH, cell="warm-up")),
    Program(source=Source(text=_FAILING, cell="warm-up"), replay=[Source(text="x = 1", cell="warm-up-replay")]),
)
TRAINING = Program(source=Source(text=_TRAINING, cell="warm-up"))  # not for waiting children: most programs need little of it
