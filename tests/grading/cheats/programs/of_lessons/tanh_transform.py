# exercise: backward-twice/saving-outputs/tanh
# caught by: functions
# the derivative comes from torch.distributions' TanhTransform (its log|dy/dx|)
import torch
from torch.distributions.transforms import TanhTransform


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.tanh(x)
        ctx.save_for_backward(x, out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, out = ctx.saved_tensors
        return grad_output * TanhTransform().log_abs_det_jacobian(x, out).exp()
