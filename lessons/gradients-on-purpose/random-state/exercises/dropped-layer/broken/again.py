import torch


def layer(x, w):
    return torch.nn.functional.dropout(torch.tanh(x @ w), 0.5)


class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.inputs = x.detach().requires_grad_(), w.detach().requires_grad_()
        with torch.enable_grad():
            ctx.out = layer(*ctx.inputs)
        return ctx.out.detach()

    @staticmethod
    def backward(ctx, grad_output):
        return torch.autograd.grad(ctx.out, ctx.inputs, grad_output, retain_graph=True)


def seeded(x, w, seed):
    torch.manual_seed(seed)
    return Recompute.apply(x, w)


def stacked(x, w, seed):
    torch.manual_seed(seed)
    return Recompute.apply(Recompute.apply(x, w), w)


def draws(x, w, seed):
    torch.manual_seed(seed)
    out = Recompute.apply(x, w)
    between = torch.rand(3)
    torch.autograd.grad(out.sum(), x)
    return torch.cat([between, torch.rand(3)])


def change(x, w, seed):
    torch.manual_seed(seed)
    return Recompute.apply(x, w) - Recompute.apply(x, w)
