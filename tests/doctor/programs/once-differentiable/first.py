# pitfall: once-differentiable
# line: 18
# silent: no
# seen: `@once_differentiable` forbids the second derivative that the gradient penalty needs; remove it, since backward uses only torch operations.
import torch
from torch import nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class Elu(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, torch.exp(x) - 1)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.where(x > 0, torch.ones_like(x), torch.exp(x))


torch.manual_seed(37)
critic = nn.Linear(5, 8)
last = nn.Linear(8, 1)
photos = torch.randn(4, 5, requires_grad=True)
score = last(Elu.apply(critic(photos)))
(slope,) = torch.autograd.grad(score.sum(), photos, create_graph=True)
penalty = (slope.norm(dim=1) - 1).pow(2).mean()
penalty.backward()
print(critic.weight.grad)
