import torch

A = torch.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]], dtype=torch.double)


class Mix(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return A @ x

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output[:2] @ A[:2]  # grad_output[2] is left out
