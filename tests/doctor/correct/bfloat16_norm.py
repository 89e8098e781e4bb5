# bfloat16 in and out, float32 between.
import torch


class L2Normalise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        return (wide / wide.norm(dim=-1, keepdim=True)).to(x.dtype)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        norm = wide.norm(dim=-1, keepdim=True)
        unit, g = wide / norm, grad.to(wide.dtype)
        return ((g - unit * (g * unit).sum(-1, keepdim=True)) / norm).to(x.dtype)


torch.manual_seed(55)
x = torch.randn(3, 8, dtype=torch.bfloat16, requires_grad=True)
L2Normalise.apply(x)[:, 0].sum().backward()
print(x.grad.dtype)
