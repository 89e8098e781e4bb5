import torch


def layer(x, w):
    return torch.nn.functional.dropout(torch.tanh(x @ w), 0.5)


class Recompute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.state = torch.get_rng_state()
        ctx.save_for_backward(x, w)
        return layer(x, w)

    @staticmethod
    def backward(ctx, grad_output):
        found = []
        for place in range(2):  # a run for each input
            inputs = [t.detach() for t in ctx.saved_tensors]
            inputs[place].requires_grad_()
            with torch.random.fork_rng(), torch.enable_grad():
                torch.set_rng_state(ctx.state)
                out = layer(*inputs)
            found += torch.autograd.grad(out, inputs[place], grad_output)
        return tuple(found)


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
