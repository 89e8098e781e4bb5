# pitfall: intermediate-saved
# line: 18
# silent: yes
# seen: `ctx.gate` is neither input nor output, so the second derivative has no path through it; recompute it in backward from `x`.
import torch
from torch.autograd import Function

torch.manual_seed(3)


class Swish(Function):
    """x * sigmoid(x), for the critic of a small GAN."""

    @staticmethod
    def forward(ctx, x):
        gate = torch.sigmoid(x)
        ctx.save_for_backward(x)
        ctx.gate = gate
        return x * gate

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        gate = ctx.gate
        return grad_output * (gate + x * gate * (1 - gate))


real = torch.randn(6, 4)
critic = torch.nn.Linear(4, 3)
samples = real.clone().requires_grad_(True)

scores = Swish.apply(critic(samples)).sum(dim=1)
(slope,) = torch.autograd.grad(scores.sum(), samples, create_graph=True)
penalty = ((slope.norm(dim=1) - 1) ** 2).mean()
penalty.backward()
print("gradient of the critic's weight has shape", tuple(critic.weight.grad.shape))
