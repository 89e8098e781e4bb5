# near miss of: float32-gradcheck
# silent: yes
# seen: nothing: training is in single precision, and the tensors given to gradcheck are double.
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
assert dose.dtype == torch.float32
assert gradcheck(Softplus.apply, (dose.detach().double().requires_grad_(True),))
print("gradient verified")
