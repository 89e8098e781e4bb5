# pitfall: detached-backward-call
# line: 31
# silent: no
# seen: `torch.tensor(losses)` copies only the numbers, so the total has no graph to go back through; use `torch.stack(losses)`.
import torch


class PinballLoss(torch.autograd.Function):
    """Loss of a quantile forecast."""

    @staticmethod
    def forward(ctx, forecast, actual, quantile):
        error = actual - forecast
        ctx.save_for_backward(error >= 0)
        ctx.quantile = quantile
        return torch.maximum(quantile * error, (quantile - 1) * error).mean()

    @staticmethod
    def backward(ctx, grad_output):
        (under,) = ctx.saved_tensors
        slope = torch.where(under, -ctx.quantile, 1 - ctx.quantile)
        return grad_output * slope / under.numel(), None, None


torch.manual_seed(79)
demand = torch.rand(24) * 100
forecasts = torch.full((3, 24), 50.0, requires_grad=True)
losses = []
for row, quantile in enumerate([0.1, 0.5, 0.9]):
    losses.append(PinballLoss.apply(forecasts[row], demand, quantile))
total = torch.tensor([loss.item() for loss in losses]).sum()
total.backward()
print(forecasts.grad.shape)
