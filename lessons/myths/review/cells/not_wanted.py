import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x)
        return x * w

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return torch.ones(7), grad_output * x  # 7: the wrong shape


x = torch.tensor([2.0, 3.0])
w = torch.tensor([1.0, 1.0], requires_grad=True)
Scale.apply(x, w).sum().backward()
print("w.grad:", w.grad.tolist())
