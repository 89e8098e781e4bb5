# pitfall: grad-inside-backward
# line: 28
# silent: no
# seen: `inner.backward()` inside of backward finds no graph, as gradients are not recorded there; use `torch.enable_grad()`.
import torch


def kepler(e, mean):
    """Solves E - e sin E = M by Newton's method."""
    big_e = mean.clone()
    for _ in range(12):
        big_e = big_e - (big_e - e * torch.sin(big_e) - mean) / (1 - e * torch.cos(big_e))
    return big_e


class EccentricAnomaly(torch.autograd.Function):
    @staticmethod
    def forward(ctx, e, mean):
        solution = kepler(e, mean)
        ctx.save_for_backward(e, mean, solution)
        return solution

    @staticmethod
    def backward(ctx, grad_output):
        e, mean, solution = ctx.saved_tensors
        root = solution.detach().requires_grad_(True)
        residual = root - e * torch.sin(root) - mean
        residual.sum().backward()
        adjoint = grad_output / root.grad
        return (adjoint * torch.sin(solution)).sum(), adjoint


eccentricity = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
mean = torch.linspace(0.1, 3, 6, dtype=torch.float64)
loss = EccentricAnomaly.apply(eccentricity, mean).sum()
loss.backward()
print(eccentricity.grad)
