import torch


class Well(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.log1p(x.square())
        ctx.save_for_backward(x, out)
        return out

    @staticmethod
    def backward(ctx, g):
        x, out = ctx.saved_tensors
        return g * 2 * x * torch.exp(-out)


def descend(x, steps):
    x = x.detach().clone().requires_grad_()
    optimizer = torch.optim.SGD([x], lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        (0.5 * Well.apply(x)).sum().backward()
        optimizer.step()
    return x.detach()
