# near miss of: ctx-input-mutated
# silent: yes
# seen: nothing: what is kept on ctx is a copy, and the change in place comes to another tensor.
import torch
from torch.autograd import Function


class Polynomial(Function):
    @staticmethod
    def forward(ctx, x, coefficients):
        ctx.save_for_backward(x)
        ctx.coefficients = coefficients.clone()
        a, b, c = coefficients.tolist()
        return a + b * x + c * x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        _, b, c = ctx.coefficients.tolist()
        return grad_output * (b + 2 * c * x), None


torch.manual_seed(13)
x = torch.randn(5, dtype=torch.float64, requires_grad=True)
table = torch.tensor([1.0, -2.0, 0.5])
loss = torch.zeros((), dtype=torch.float64)
for _ in range(3):
    loss = loss + Polynomial.apply(x, table).sum()
    table.mul_(0.5)
loss.backward()
print(torch.isfinite(x.grad).all().item())
