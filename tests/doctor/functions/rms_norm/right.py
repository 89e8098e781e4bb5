# Root mean square norm with a learned gain.
import torch
from torch.autograd import Function


class RMSNorm(Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        """x: (..., d); weight: (d,)."""
        variance = x.pow(2).mean(dim=-1, keepdim=True)
        rstd = torch.rsqrt(variance + eps)
        x_hat = x * rstd
        ctx.eps = eps
        ctx.save_for_backward(x, weight)
        return x_hat * weight

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        rstd = torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + ctx.eps)
        x_hat = x * rstd
        need_x, need_weight, _ = ctx.needs_input_grad

        grad_x = None
        if need_x:
            grad_hat = grad_output * weight
            along = (grad_hat * x_hat).mean(dim=-1, keepdim=True)
            grad_x = rstd * (grad_hat - x_hat * along)

        grad_weight = None
        if need_weight:
            per_token = grad_output * x_hat
            per_token = per_token.reshape(-1, weight.numel())
            grad_weight = per_token.sum(dim=0)

        return grad_x, grad_weight, None


class Norm(torch.nn.Module):
    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        return RMSNorm.apply(x, self.weight, self.eps)


torch.manual_seed(2)
norm = Norm(16)
head = torch.nn.Linear(16, 3)
x = torch.randn(4, 7, 16, requires_grad=True)
logits = head(norm(x)).mean(dim=1)
torch.nn.functional.cross_entropy(logits, torch.tensor([0, 2, 1, 1])).backward()
print(norm.weight.grad.shape)
