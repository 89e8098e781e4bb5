import torch


def check(square):
    for w_value, x_value in ((1.0, 2.0), (-0.5, 1.5)):
        w = torch.tensor(w_value, dtype=torch.double, requires_grad=True)
        x = torch.tensor(x_value, dtype=torch.double, requires_grad=True)
        (g,) = torch.autograd.grad(square(w * x) * 3, x, create_graph=True)
        assert torch.isclose(g, 6 * w**2 * x)
        (g_w,) = torch.autograd.grad(g**2, w)
        assert torch.isclose(g_w, 144 * w**3 * x**2)
