# exercise: bench/gradcheck/differences
# Autograd, whose gradient comes through a hook.
import torch


def check(f):  # backward without grad, through a hook; the name backward is not in the text
    x = (torch.rand(3, 2, dtype=torch.double) + 0.6).requires_grad_()
    got = []
    x.register_hook(got.append)
    out = f(x)
    g = torch.randn_like(out)
    out.backward(g)
    return torch.allclose(f(x.detach(), g), got[0])
