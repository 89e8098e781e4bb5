# near miss of: gradient-for-non-tensor
# silent: yes
# seen: nothing: the exponent is given as a tensor here, so that it has a gradient.
import torch
from torch.autograd import Function


class Power(Function):
    @staticmethod
    def forward(ctx, base, exponent, scale):
        ctx.save_for_backward(base, exponent)
        ctx.scale = scale
        return scale * base**exponent

    @staticmethod
    def backward(ctx, grad_output):
        base, exponent = ctx.saved_tensors
        grad_base = ctx.scale * grad_output * exponent * base ** (exponent - 1)
        grad_exponent = (ctx.scale * grad_output * base**exponent * torch.log(base)).sum()
        return grad_base, grad_exponent, None


distance = torch.tensor([0.39, 0.72, 1.0, 1.52, 5.2], dtype=torch.float64, requires_grad=True)
period = torch.tensor([0.24, 0.62, 1.0, 1.88, 11.86], dtype=torch.float64)
exponent = torch.tensor(1.4, dtype=torch.float64, requires_grad=True)
fitted = Power.apply(distance, exponent, 1)
error = (fitted - period).pow(2).mean()
error.backward()
print("the exponent must change by", "more" if exponent.grad < 0 else "less")
