import torch


def check(pull):
    torch.manual_seed(0)
    x = torch.linspace(0, 3, 6, dtype=torch.double).view(2, 3).requires_grad_()
    for scale in (1e-3, 1, 1e3):
        for g in (torch.randn(2, 3), torch.randn(3, 2).t(), torch.randn(2, 1).expand(2, 3)):
            g = scale * g.double()
            version = g.detach().clone()
            (true,) = torch.autograd.grad(torch.log1p(x), x, version)
            got = pull(g, x.detach())
            if not torch.allclose(got, true) or not torch.equal(g, version):
                return False
    g = torch.randn(3, 2, dtype=torch.double).t()
    return torch.allclose(pull(g, x.detach()), (g / (1 + x)).detach())
