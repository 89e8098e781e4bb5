import torch


class SinhBad(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.up, ctx.down = x.exp(), (-x).exp()
        return (ctx.up - ctx.down) / 2

    @staticmethod
    def backward(ctx, g):
        return g * (ctx.up + ctx.down) / 2


x = torch.tensor(1.0, requires_grad=True)
y = SinhBad.apply(x) ** 2
for order in (1, 2, 3):
    (y,) = torch.autograd.grad(y, x, create_graph=True)
    print("order", order, f"{y.item():8.4f}")
