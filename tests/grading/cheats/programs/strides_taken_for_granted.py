# exercise: square
# without: check strides
# Reads the incoming gradient as if its entries stood one after another.
import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        flat = torch.as_strided(grad_output, (grad_output.numel(),), (1,)) if grad_output.numel() > 1 and 0 not in grad_output.stride() else grad_output.reshape(-1)
        return 2 * x * flat.reshape(x.shape)
