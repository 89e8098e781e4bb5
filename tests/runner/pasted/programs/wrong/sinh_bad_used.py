import torch


class SinhBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.exp_x = torch.exp(x)
        ctx.exp_negx = torch.exp(-x)
        return (ctx.exp_x - ctx.exp_negx) / 2

    @staticmethod
    def backward(ctx, grad_out):
        return grad_out * (ctx.exp_x + ctx.exp_negx) / 2


x = torch.tensor(1., requires_grad=True)
y = SinhBad.apply(x)
dy, = torch.autograd.grad(y, x, create_graph=True)
d2y, = torch.autograd.grad(dy, x)
print(d2y)
