import torch


class Eight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h):
        ctx.save_for_backward(h)
        return eight(h)

    @staticmethod
    def backward(ctx, grad_output):
        (h,) = ctx.saved_tensors
        with torch.enable_grad():
            h = h.detach().requires_grad_()
            return torch.autograd.grad(eight(h), h, grad_output)


def eight(h):
    for _ in range(8):
        h = torch.abs(h)
    return h


def deep(x):
    h = x * torch.linspace(1, 2, 512, dtype=x.dtype)[:, None]
    for _ in range(5):
        h = Eight.apply(h)
    return h.mean(0)
