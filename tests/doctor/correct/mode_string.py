# The reduction is chosen by a string.
import torch


class SquaredError(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, reduction):
        ctx.save_for_backward(x, y)
        ctx.reduction = reduction
        loss = (x - y).square()
        return {"sum": loss.sum, "mean": loss.mean, "none": loss.clone}[reduction]()

    @staticmethod
    def backward(ctx, grad):
        x, y = ctx.saved_tensors
        g = 2 * (x - y) * grad
        if ctx.reduction == "mean":
            g = g / x.numel()
        return g, -g, None


x, y = torch.ones(4, requires_grad=True), torch.zeros(4, requires_grad=True)
for reduction in ("sum", "mean", "none"):
    SquaredError.apply(x, y, reduction).sum().backward()
print(x.grad.tolist())
