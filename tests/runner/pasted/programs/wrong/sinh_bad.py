import torch
import torchviz


class SinhBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        exp_x = torch.exp(x)
        exp_negx = torch.exp(-x)
        # intermediates, kept on ctx and not returned
        ctx.exp_x = exp_x
        ctx.exp_negx = exp_negx
        return (exp_x - exp_negx) / 2

    @staticmethod
    def backward(ctx, grad_out):
        return grad_out * (ctx.exp_x + ctx.exp_negx) / 2


x = torch.tensor(1., requires_grad=True)
out = SinhBad.apply(x)
grad_x, = torch.autograd.grad(out.sum(), x, create_graph=True)
torchviz.make_dot((grad_x, x, out), params={"grad_x": grad_x, "x": x, "out": out})

x = torch.rand(3, 3, requires_grad=True, dtype=torch.double)
print(torch.autograd.gradcheck(SinhBad.apply, x))
print(torch.autograd.gradgradcheck(SinhBad.apply, x))
