# near miss of: not-a-scalar
# silent: yes
# seen: nothing: backward of the vector is given a `gradient`.
import torch
from torch.autograd import Function


class HingeLoss(Function):
    @staticmethod
    def forward(ctx, margin):
        ctx.save_for_backward(margin)
        return (1 - margin).clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (margin,) = ctx.saved_tensors
        return -grad_output * (margin < 1)


torch.manual_seed(76)
points = torch.randn(30, 2, dtype=torch.float64)
normal = torch.randn(2, dtype=torch.float64, requires_grad=True)
side = torch.sign(points[:, 0])
losses = HingeLoss.apply(side * (points @ normal))
losses.backward(torch.full((30,), 1 / 30, dtype=torch.float64))
print(tuple(normal.grad.shape))
