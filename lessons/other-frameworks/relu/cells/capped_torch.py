import torch


class ReLU6(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)  # the tensor, not the name
        x = x.clamp(0, 6)
        return x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        inside = (x > 0) & (x <= 6)
        return torch.where(inside, g, 0)


x = torch.tensor([-1.0, 2.0, 8.0], requires_grad=True)
y = ReLU6.apply(x)
y.sum().backward()
print("value:   ", y.tolist())
print("gradient:", x.grad.tolist())
