import torch
from torch.autograd import grad, gradcheck, gradgradcheck
from torchviz import make_dot

class SinhBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.up, ctx.down = torch.exp(x), torch.exp(-x)
        return (ctx.up - ctx.down) / 2

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * (ctx.up + ctx.down) / 2

x = torch.tensor([0.5, 1, 2]).double().requires_grad_()
out = SinhBad.apply(x)
(grad_x,) = grad(out.sum(), x, create_graph=True)
make_dot((out, grad_x), dict(x=x, out=out, grad_x=grad_x))
gradcheck(SinhBad.apply, x)
gradgradcheck(SinhBad.apply, x)
