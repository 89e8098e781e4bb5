# near miss of: option-ignored-in-backward
# silent: yes
# seen: nothing: the option does not appear in the derivative, for it only adds a constant.
import torch
from torch.autograd import Function


class ShiftedSquare(Function):
    @staticmethod
    def forward(ctx, x, floor=0.0):
        ctx.save_for_backward(x)
        return x * x + floor

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output, None


torch.manual_seed(82)
x = torch.randn(8, dtype=torch.float64, requires_grad=True)
loss = ShiftedSquare.apply(x).sum() + ShiftedSquare.apply(x, 3.0).log().sum()
loss.backward()
print(tuple(x.grad.shape))
