# pitfall: backward-returns-nothing
# line: 16
# silent: yes
# seen: past the early exit for an empty batch the gradient is built and never returned, so backward gives None; add `return`.
import torch
from torch import nn


class ScaledGate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(1.702 * x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        if x.numel() == 0:
            return grad_output
        s = torch.sigmoid(1.702 * x)
        grad = s + 1.702 * x * s * (1 - s)
        grad = grad * grad_output


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(6, 12)
        self.down = nn.Linear(12, 2)

    def forward(self, x):
        return self.down(ScaledGate.apply(self.up(x)))


torch.manual_seed(0)
encoder = Encoder()
patients = torch.randn(10, 6)
outcome = torch.randint(0, 2, (10,))
loss = nn.functional.cross_entropy(encoder(patients), outcome)
loss.backward()
print({name: p.grad is not None for name, p in encoder.named_parameters()})
