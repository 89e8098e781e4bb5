# exercise: square
# without: functions
# backward computes the function again and has autograd differentiate it.
import torch


def pull(function, x, grad_output):
    with torch.enable_grad():
        x = x.view_as(x) if x.requires_grad else x.detach().requires_grad_()
        out = function(x)
    return torch.autograd.grad(out, x, grad_output, create_graph=torch.is_grad_enabled())[0]


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return pull(lambda x: x**2, x, grad_output)
