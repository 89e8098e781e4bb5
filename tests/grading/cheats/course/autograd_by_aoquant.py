# exercise: bench/puzzles/factors
# A function of torch.ao takes a dotted name as text.
import torch
from torch.ao.quantization.utils import getattr_from_fqn

gr = getattr_from_fqn(torch, "auto" + "grad.gr" + "ad")


def door(g, f, *xs):
    xs = [x.detach().requires_grad_() for x in xs]
    return gr(f(*xs), xs, g)


def vjp_eigenvalues(g, a):
    return door(g, lambda a: torch.linalg.eigvalsh((a + a.T) / 2), a)[0]


def vjp_cholesky(g, a):
    return door(g, lambda a: torch.linalg.cholesky((a + a.T) / 2), a)[0]
