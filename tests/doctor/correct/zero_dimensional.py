# Scalars.
import torch


class Kepler(torch.autograd.Function):
    """Solves E - e sin E = M by Newton's method; implicit derivative."""

    @staticmethod
    def forward(ctx, mean, e):
        big = mean.clone()
        for _ in range(20):
            big = big - (big - e * big.sin() - mean) / (1 - e * big.cos())
        ctx.save_for_backward(big, e)
        return big

    @staticmethod
    def backward(ctx, grad):
        big, e = ctx.saved_tensors
        slope = 1 / (1 - e * big.cos())
        return grad * slope, grad * slope * big.sin()


mean = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
e = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
Kepler.apply(mean, e).cos().backward()
print(mean.grad.shape)
