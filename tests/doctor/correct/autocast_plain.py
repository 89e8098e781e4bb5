# A Function without decorators, called under autocast.
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return grad * s * (1 + x * (1 - s))


torch.manual_seed(44)
layer = torch.nn.Linear(3, 3)
with torch.autocast("cpu", dtype=torch.bfloat16):
    loss = Swish.apply(layer(torch.randn(4, 3))).float().mean()
loss.backward()
print(layer.bias.grad.dtype)
