import torch


def check(predict):
    x = torch.rand(4, 3)
    base = torch.rand(3, 2, requires_grad=True)
    head = torch.rand(2, requires_grad=True)
    predict(x, base, head).sum().backward()
    return base.grad is None and head.grad is not None
