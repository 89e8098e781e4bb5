# exercise: own-functions/gate/squared-relu
# caught by: functions
# the operator aten::_backward runs autograd's engine
import torch


class SquaredReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.relu(x) ** 2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = torch.relu(x) ** 2
            torch.ops.aten._backward(y, [x], grad_output)
        return x.grad
