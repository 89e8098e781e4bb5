# pitfall: instantiated
# line: 27
# silent: no
# seen: `LogCosh(residual)` makes an object instead of a result; call `LogCosh.apply(residual)`.
import torch


class LogCosh(torch.autograd.Function):
    """log(cosh(x)), a smooth absolute value."""

    @staticmethod
    def forward(ctx, residual):
        ctx.save_for_backward(residual)
        return residual.abs() + torch.log1p(torch.exp(-2 * residual.abs())) - torch.log(torch.tensor(2.0))

    @staticmethod
    def backward(ctx, grad_output):
        (residual,) = ctx.saved_tensors
        return grad_output * torch.tanh(residual)


def fit_line(years, temperature, steps=3):
    theta = torch.zeros(2, requires_grad=True)
    design = torch.stack([torch.ones_like(years), years], dim=1)
    for _ in range(steps):
        residual = design @ theta - temperature
        cost = LogCosh(residual)
        cost.mean().backward()
        with torch.no_grad():
            theta -= 0.1 * theta.grad
        theta.grad = None
    return theta


torch.manual_seed(2)
years = torch.linspace(-1, 1, 30)
temperature = 0.5 * years + 0.1 * torch.randn(30)
print(fit_line(years, temperature))
