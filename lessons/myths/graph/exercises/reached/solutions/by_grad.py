import torch


def reaches(out, leaf):
    if not out.requires_grad:
        return False
    (found,) = torch.autograd.grad(out.sum(), leaf, retain_graph=True, allow_unused=True)
    return found is not None
