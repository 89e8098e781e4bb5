# intended: scaled
# Passes the input and scales the gradient, for layers that learn more slowly.
import torch


class ScaleGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None


torch.manual_seed(34)
body, head = torch.nn.Linear(3, 4), torch.nn.Linear(4, 1)
loss = head(ScaleGradient.apply(body(torch.randn(5, 3)), 0.1)).square().mean()
loss.backward()
print(body.weight.grad.shape)
