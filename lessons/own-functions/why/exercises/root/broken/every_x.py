import torch


class Root(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        target = x.detach().numpy()
        y = target
        for _ in range(40):
            y = y - (y**3 + y - target) / (3 * y**2 + 1)
        y = torch.as_tensor(y)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        (y,) = ctx.saved_tensors
        return grad_output / (3 * y**2 + 1).clamp(max=100)
