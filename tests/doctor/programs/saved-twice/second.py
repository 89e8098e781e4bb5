# pitfall: saved-twice
# line: 15
# silent: no
# seen: each call of `save_for_backward` in the loop throws away what was saved before; collect the tensors and save them once.
import torch


class Horner(torch.autograd.Function):
    """Evaluates a polynomial whose coefficients are learnt."""

    @staticmethod
    def forward(ctx, x, *coefficients):
        value = torch.zeros_like(x)
        for c in coefficients:
            ctx.save_for_backward(x, c)
            value = value * x + c
        return value

    @staticmethod
    def backward(ctx, grad_output):
        x, *coefficients = ctx.saved_tensors
        n = len(ctx.needs_input_grad) - 1
        grads = [(grad_output * x ** (n - 1 - k)).sum() for k in range(n)]
        slope = torch.zeros_like(x)
        for k in range(n - 1):
            slope = slope * x + (n - 1 - k) * coefficients[k]
        return grad_output * slope, *grads


torch.manual_seed(59)
x = torch.linspace(-1, 1, 11, requires_grad=True)
coefficients = [torch.randn((), requires_grad=True) for _ in range(4)]
curve = Horner.apply(x, *coefficients)
loss = (curve - torch.sin(3 * x.detach())).pow(2).mean()
loss.backward()
print([c.grad.item() for c in coefficients])
