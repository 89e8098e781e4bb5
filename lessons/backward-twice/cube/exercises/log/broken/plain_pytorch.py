import numpy as np
import torch


class LogBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, grad_output, x):
        ctx.save_for_backward(grad_output, x)
        return torch.as_tensor(grad_output.numpy() / x.numpy())

    @staticmethod
    def backward(ctx, grad_grad_x):
        grad_output, x, incoming = (one.detach().numpy() for one in (*ctx.saved_tensors, grad_grad_x))
        return torch.as_tensor(incoming / x), torch.as_tensor(-grad_output * incoming / x**2)


class Log(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.as_tensor(np.log(x.numpy()))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return LogBackward.apply(grad_output, x)
