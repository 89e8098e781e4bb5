import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)  # on ctx
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, g, 0)


x = torch.tensor([-1.0, 2.0, 3.0])
x.requires_grad_()
y = 10 * ReLU.apply(x)
y.sum().backward()
print("gradient:", x.grad.tolist())
