import torch


def f(x, w):
    return torch.tanh(x @ w)


def inverse(y1, y2, a, b):
    x2 = y2 - f(y1, b)
    x1 = y1 - f(x2, a)
    return x1, x2


class Block(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x1, x2, a, b):
        y1 = x1 + f(x2, a)
        y2 = x2 + f(y1, b)
        ctx.save_for_backward(y1, y2, a, b)
        return y1, y2

    @staticmethod
    def backward(ctx, g1, g2):
        y1, y2, a, b = ctx.saved_tensors
        inputs = [t.detach().requires_grad_() for t in (*inverse(y1, y2, a, b), a, b)]
        with torch.enable_grad():
            y1 = inputs[0] + f(inputs[1], inputs[2])
            y2 = inputs[1] + f(y1, inputs[3])
        return torch.autograd.grad((y1, y2), inputs, (g1, g2))


def erased(x1, x2, a, b):
    inputs = x1.clone(), x2.clone()
    y1, y2 = Block.apply(*inputs, a, b)
    for x in inputs:
        x.detach().zero_()  # backward has to do without them
    return torch.autograd.grad((y1 * y2).sum(), (x1, x2, a, b))


def moved(x1, x2, a, b):
    y1, y2 = Block.apply(x1, x2, a, b)
    for y in (y1, y2):
        y.data += 0.5  # backward has to start from these
    grad_outputs = y2.detach(), y1.detach()
    return torch.autograd.grad((y1, y2), (x1, x2, a, b), grad_outputs)
