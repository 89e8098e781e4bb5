import torch


def layer(x, w):
    return torch.nn.functional.dropout(torch.tanh(x @ w), 0.5)


class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        ctx.state = torch.get_rng_state()
        ctx.second = None
        return layer(x, w)

    @staticmethod
    def backward(ctx, grad_output):
        if ctx.second is None:
            x, w = (t.detach().requires_grad_() for t in ctx.saved_tensors)
            with torch.random.fork_rng(), torch.enable_grad():
                torch.set_rng_state(ctx.state)
                ctx.second = layer(x, w), x, w
        out, x, w = ctx.second
        return torch.autograd.grad(out, (x, w), grad_output, retain_graph=True)


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
