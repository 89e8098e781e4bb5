from torch.nn.functional import pad


def vjp_diff(g, x):
    return pad(g, (1, 0)) - pad(g, (0, 1))  # a zero before, one after


x = torch.linspace(-1, 1, 3001, requires_grad=True)
g = torch.rand(3000)
(grad_x,) = torch.autograd.grad(x.diff(), x, g)
print("equal:", torch.equal(vjp_diff(g, x), grad_x))
print("bytes of g:           ", g.nbytes)
print("bytes of the Jacobian:", g.numel() * x.numel() * 4)
