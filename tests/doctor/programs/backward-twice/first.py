# pitfall: backward-twice
# line: 32
# silent: no
# seen: the graph was freed by the first `.backward()`; add the losses and call it once, or pass `retain_graph=True` to the first.
import torch
from torch import nn
from torch.autograd import Function


class Gelu(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 0.5 * (1 + torch.erf(x / 2**0.5))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        cdf = 0.5 * (1 + torch.erf(x / 2**0.5))
        pdf = torch.exp(-0.5 * x * x) / (2 * torch.pi) ** 0.5
        return grad_output * (cdf + x * pdf)


torch.manual_seed(74)
trunk = nn.Linear(5, 6)
price, rooms = nn.Linear(6, 1), nn.Linear(6, 4)
homes = torch.randn(9, 5)
shared = Gelu.apply(trunk(homes))
price_loss = (price(shared) - 1).pow(2).mean()
rooms_loss = nn.functional.cross_entropy(rooms(shared), torch.randint(0, 4, (9,)))
price_loss.backward()
rooms_loss.backward()
print(trunk.weight.grad)
