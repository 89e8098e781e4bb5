# None stays None.
import torch


class Tap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        mean = x.mean()
        ctx.mark_non_differentiable(mean)
        return x.clone(), mean

    @staticmethod
    def backward(ctx, grad, grad_mean):
        assert grad_mean is None
        return grad


x = torch.arange(3.0, requires_grad=True)
y, mean = Tap.apply(x)
(y * mean).sum().backward()
print(x.grad.tolist())
