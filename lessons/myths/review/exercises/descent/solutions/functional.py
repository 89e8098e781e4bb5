import torch


class Well(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return (1 + x * x).log()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * g * x / (x * x + 1)


def descend(x, steps):
    for _ in range(steps):
        x = x.detach().requires_grad_()
        (grad_x,) = torch.autograd.grad(Well.apply(x).sum() / 2, x)
        x = x.detach() - grad_x / 10
    return x.detach()
