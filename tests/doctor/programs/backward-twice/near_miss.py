# near miss of: backward-twice
# silent: yes
# seen: nothing: there are two calls of backward on one graph, and the first retains it.
import torch
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
homes = torch.randn(9, dtype=torch.float64, requires_grad=True)
shared = Gelu.apply(homes)
price_loss = (shared - 1).pow(2).mean()
rooms_loss = shared.abs().sum()
price_loss.backward(retain_graph=True)
rooms_loss.backward()
print(tuple(homes.grad.shape))
