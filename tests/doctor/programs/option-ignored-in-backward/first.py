# pitfall: option-ignored-in-backward
# line: 19
# silent: yes
# seen: backward uses 0.01 where forward used the given `slope`, so the gradient is right only for the default; store it as `ctx.slope`.
import torch
from torch import nn
from torch.autograd import Function


class LeakyReLU(Function):
    @staticmethod
    def forward(ctx, x, slope=0.01):
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, slope * x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, grad_output, 0.01 * grad_output), None


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 10)
        self.second = nn.Linear(10, 1)

    def forward(self, x):
        return self.second(LeakyReLU.apply(self.first(x), 0.2))


torch.manual_seed(82)
discriminator = Discriminator()
faces = torch.randn(8, 6)
loss = nn.functional.softplus(-discriminator(faces)).mean()
loss.backward()
print("first layer:", tuple(discriminator.first.weight.grad.shape))
