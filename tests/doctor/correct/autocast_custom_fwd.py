# custom_fwd and custom_bwd keep the type of autocast in backward.
import torch
from torch.amp import custom_bwd, custom_fwd


class MatMul(torch.autograd.Function):
    @staticmethod
    @custom_fwd(device_type="cpu")
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a.mm(b)

    @staticmethod
    @custom_bwd(device_type="cpu")
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        return grad.mm(b.t()).to(a.dtype), a.t().mm(grad.to(a.dtype)).to(b.dtype)


torch.manual_seed(42)
a, b = torch.randn(3, 4, requires_grad=True), torch.randn(4, 2, requires_grad=True)
MatMul.apply(a, b).sum().backward()
print(a.grad.dtype, b.grad.dtype)
