# A cache of integers by shape on the class.
import torch


class ReverseOrder(torch.autograd.Function):
    orders = {}

    @classmethod
    def order(cls, n):
        if n not in cls.orders:
            cls.orders[n] = torch.arange(n - 1, -1, -1)
        return cls.orders[n]

    @staticmethod
    def forward(ctx, x):
        return x[ReverseOrder.order(len(x))]

    @staticmethod
    def backward(ctx, grad):
        return grad[ReverseOrder.order(len(grad))]


x = torch.arange(4.0, requires_grad=True)
(ReverseOrder.apply(x) * torch.arange(4.0)).sum().backward()
print(x.grad.tolist())
