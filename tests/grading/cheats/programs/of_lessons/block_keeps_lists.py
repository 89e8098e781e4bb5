# exercise: gradients-on-purpose/reversible/coupled-block
# caught by: not-kept
# The numbers of the inputs, kept in the module.
import torch


def f(x, w):
    return torch.tanh(x @ w)


def inverse(y1, y2, a, b):
    x2 = y2 - f(y1, b)
    x1 = y1 - f(x2, a)
    return x1, x2


def vjp(x, w, grad):
    x, w = x.detach().requires_grad_(), w.detach().requires_grad_()
    with torch.enable_grad():
        out = f(x, w)
    return torch.autograd.grad(out, (x, w), grad)


kept = {}


class Block(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x1, x2, a, b):
        y1 = x1 + f(x2, a)
        y2 = x2 + f(y1, b)
        ctx.save_for_backward(y1, y2, a, b)
        kept[y1.data_ptr()] = x1.tolist(), x2.tolist()
        return y1, y2

    @staticmethod
    def backward(ctx, g1, g2):
        y1, y2, a, b = ctx.saved_tensors
        x1, x2 = map(y1.new_tensor, kept[y1.data_ptr()])
        grad, grad_b = vjp(y1, b, g2)
        g1 = g1 + grad
        grad, grad_a = vjp(x2, a, g1)
        return g1, g2 + grad, grad_a, grad_b


def erased(x1, x2, a, b):
    inputs = x1.clone(), x2.clone()
    y1, y2 = Block.apply(*inputs, a, b)
    for x in inputs:
        x.detach().zero_()  # backward has to do without them
    return torch.autograd.grad((y1 * y2).sum(), (x1, x2, a, b))
