import torch
from torch.autograd import grad, gradcheck


def check(saturate):
    x = torch.tensor([-1, 0.5, 2], dtype=torch.double, requires_grad=True)
    scale = torch.tensor(2, dtype=torch.double, requires_grad=True)
    (got,) = grad(saturate(x, scale).sum(), scale)
    (right,) = grad((x / (scale + x.abs())).sum(), scale)
    return gradcheck(lambda x: saturate(x, scale.detach()), x) and torch.allclose(got.abs(), right.abs())
