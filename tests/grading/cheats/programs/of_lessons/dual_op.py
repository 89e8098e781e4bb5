# exercise: own-functions/gate/squared-relu
# caught by: functions
# forward mode by the operators _make_dual and _unpack_dual
import torch
from torch.autograd import forward_ad


class SquaredReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.relu(x) ** 2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        with forward_ad.dual_level():
            dual = torch.ops.aten._make_dual(x, grad_output, 0)
            y = torch.relu(dual) ** 2
            return torch.ops.aten._unpack_dual(y, 0)[1].clone()
