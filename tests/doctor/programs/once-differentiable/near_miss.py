# near miss of: once-differentiable
# silent: yes
# seen: nothing: the Function marked `@once_differentiable` is differentiated once, and the one differentiated twice is not marked.
import torch
from torch.autograd import Function, grad
from torch.autograd.function import once_differentiable


class Elu(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, torch.exp(x) - 1)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.where(x > 0, torch.ones_like(x), torch.exp(x))


class Hinge(Function):
    @staticmethod
    def forward(ctx, score):
        ctx.save_for_backward(score < 1)
        return (1 - score).clamp(min=0)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        (inside,) = ctx.saved_tensors
        return -grad_output * inside


torch.manual_seed(37)
weight = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
photos = torch.randn(4, 5, dtype=torch.float64, requires_grad=True)
score = Elu.apply(photos @ weight).sum(dim=1)
(slope,) = grad(score.sum(), photos, create_graph=True)
penalty = (slope.norm(dim=1) - 1).pow(2).mean()
loss = Hinge.apply(score).mean() + penalty
loss.backward()
print(tuple(weight.grad.shape))
