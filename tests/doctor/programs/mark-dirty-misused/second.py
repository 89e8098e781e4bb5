# pitfall: mark-dirty-misused
# line: 13
# silent: no
# seen: `x` is marked dirty and is not what forward returns; return `x` itself, or do not mark it.
import torch
from torch import nn


class AddNoise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        x.add_(scale * torch.randn_like(x))
        ctx.mark_dirty(x)
        return x * 1.0

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output, None


class NoisyAutoencoder(nn.Module):
    def __init__(self, width, code):
        super().__init__()
        self.encoder = nn.Linear(width, code)
        self.decoder = nn.Linear(code, width)

    def forward(self, x):
        code = self.encoder(x)
        return self.decoder(AddNoise.apply(code, 0.1))


torch.manual_seed(27)
digits = torch.rand(9, 12)
model = NoisyAutoencoder(12, 3)
loss = nn.functional.mse_loss(model(digits), digits)
loss.backward()
print(model.encoder.weight.grad)
