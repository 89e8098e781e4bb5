# near miss of: wrong-gradient-count
# silent: yes
# seen: nothing: the two `None`s beyond the inputs are tolerated, and each input has its gradient.
import torch
from torch.autograd import Function


class AffineFunction(Function):
    @staticmethod
    def forward(ctx, input, weight, bias=None, activation=None):
        ctx.save_for_backward(input, weight)
        ctx.has_bias = bias is not None
        output = input @ weight.t()
        return output if bias is None else output + bias

    @staticmethod
    def backward(ctx, grad_output):
        input, weight = ctx.saved_tensors
        grad_input = grad_output @ weight
        grad_weight = grad_output.t() @ input
        grad_bias = grad_output.sum(dim=0) if ctx.has_bias else None
        return grad_input, grad_weight, grad_bias, None


torch.manual_seed(4)
x = torch.randn(5, 3, requires_grad=True)
w = torch.randn(2, 3, requires_grad=True)
b = torch.randn(2, requires_grad=True)
hidden = AffineFunction.apply(x, w)
shifted = AffineFunction.apply(x, w, b)
(hidden * shifted).sum().backward()
print([tuple(t.grad.shape) for t in (x, w, b)])
