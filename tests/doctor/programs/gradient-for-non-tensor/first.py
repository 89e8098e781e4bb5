# pitfall: gradient-for-non-tensor
# line: 22
# silent: no
# seen: the second gradient belongs to the number `exponent`, which is no tensor; return `None` in its place.
import torch
from torch.autograd import Function


class Power(Function):
    @staticmethod
    def forward(ctx, base, exponent):
        ctx.save_for_backward(base)
        ctx.exponent = exponent
        return base**exponent

    @staticmethod
    def backward(ctx, grad_output):
        (base,) = ctx.saved_tensors
        n = ctx.exponent
        grad_base = grad_output * n * base ** (n - 1)
        grad_exponent = (grad_output * base**n * torch.log(base)).sum()
        return grad_base, grad_exponent


# Kepler's third law: period ~ distance ** 1.5
distance = torch.tensor([0.39, 0.72, 1.0, 1.52, 5.2], requires_grad=True)
period = torch.tensor([0.24, 0.62, 1.0, 1.88, 11.86])
fitted = Power.apply(distance, 1.5)
error = (fitted - period).pow(2).mean()
error.backward()
print(distance.grad)
