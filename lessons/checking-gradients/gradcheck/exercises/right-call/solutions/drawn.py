import torch


def check(saturate):
    x = torch.linspace(-2, 3, 6, dtype=torch.float64).requires_grad_()
    scale = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
    return torch.autograd.gradcheck(lambda a, b: saturate(a, b) * 3, (x, scale), raise_exception=False)
