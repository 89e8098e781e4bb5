# Chooses between two inputs by a bool mask.
import torch


class Choose(torch.autograd.Function):
    @staticmethod
    def forward(ctx, mask, a, b):
        ctx.save_for_backward(mask)
        return torch.where(mask, a, b)

    @staticmethod
    def backward(ctx, grad):
        (mask,) = ctx.saved_tensors
        zero = torch.zeros_like(grad)
        return None, torch.where(mask, grad, zero), torch.where(mask, zero, grad)


a, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
Choose.apply(torch.tensor([True, False, True]), a, b).mul(2).sum().backward()
print(a.grad.tolist(), b.grad.tolist())
