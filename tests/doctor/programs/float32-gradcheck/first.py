# pitfall: float32-gradcheck
# line: 27
# silent: no
# seen: the input of gradcheck is single precision, in which its small step drowns in rounding; pass `dtype=torch.float64`.
import torch
from torch.autograd import Function, gradcheck


class Softplus(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0) + torch.log1p(torch.exp(-x.abs()))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * torch.sigmoid(x)


torch.manual_seed(30)
dose = torch.randn(4, 5, requires_grad=True)
response = Softplus.apply(dose)
response.sum().backward()
print("largest slope below one:", bool(dose.grad.max() < 1))

assert gradcheck(Softplus.apply, (dose,))
print("gradient verified")
