# pitfall: forward-returns-container
# line: 15
# silent: yes
# seen: forward returns a dict, whose tensors get no gradient; return a tuple of tensors.
import torch
from torch.autograd import Function


class MeanAndSpread(Function):
    @staticmethod
    def forward(ctx, samples):
        mean = samples.mean(dim=0)
        spread = ((samples - mean) ** 2).mean(dim=0)
        ctx.save_for_backward(samples)
        return {"mean": mean, "spread": spread}

    @staticmethod
    def backward(ctx, grad_mean, grad_spread):
        (samples,) = ctx.saved_tensors
        n = samples.shape[0]
        centred = samples - samples.mean(dim=0)
        return grad_mean / n + grad_spread * 2 * centred / n


torch.manual_seed(9)
samples = torch.randn(12, 3, requires_grad=True)
temperature = torch.tensor(1.0, requires_grad=True)
statistics = MeanAndSpread.apply(samples)
loss = (statistics["mean"].pow(2) + temperature * (statistics["spread"] - 1).pow(2)).sum()
loss.backward()
print("temperature:", temperature.grad is not None, " samples:", samples.grad is not None)
