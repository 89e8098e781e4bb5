import torch


class Triple(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 3 * x

    @staticmethod
    def backward(ctx, g):
        print("g:", g.item())
        return 3 * g


x = torch.tensor(1.0, requires_grad=True)
y = Triple.apply(x)
(y**2).backward(gradient=torch.tensor(0.5))
print("x.grad:", x.grad.item())
