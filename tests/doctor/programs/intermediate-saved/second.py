# pitfall: intermediate-saved
# line: 12
# silent: yes
# seen: `inv_rms` saved here is neither input nor output, so second derivatives miss its dependence on `x`; recompute it in backward or return it.
import torch


class RMSNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        inv_rms = torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)
        ctx.save_for_backward(x, weight, inv_rms)
        return x * inv_rms * weight

    @staticmethod
    def backward(ctx, grad_out):
        x, weight, inv_rms = ctx.saved_tensors
        n = x.shape[-1]
        x_hat = x * inv_rms
        wg = grad_out * weight
        grad_x = inv_rms * (wg - x_hat * (wg * x_hat).sum(dim=-1, keepdim=True) / n)
        grad_weight = (grad_out * x_hat).sum(dim=0)
        return grad_x, grad_weight, None


def sharpness(x, weight, direction):
    """The Hessian of the loss along one direction, by double backward."""
    loss = RMSNorm.apply(x, weight, 1e-6).pow(3).sum()
    (grad,) = torch.autograd.grad(loss, x, create_graph=True)
    return (grad * direction).sum()


torch.manual_seed(0)
tokens = torch.randn(8, 16, dtype=torch.float64, requires_grad=True)
scale = torch.ones(16, dtype=torch.float64, requires_grad=True)
along = torch.randn(8, 16, dtype=torch.float64)
along /= along.norm()

sharpness(tokens, scale, along).backward()
print("Hessian-vector product:", tuple(tokens.grad.shape))
