import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        print("incoming:", grad_output.tolist(), end="  ")
        print("requires_grad:", grad_output.requires_grad)
        return 2 * x * grad_output  # incoming times local
