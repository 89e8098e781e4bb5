# fault: dtype
# line: 32
# order: 1
import torch


class BatchNormTrain(torch.autograd.Function):
    """Normalises each feature over the batch.

    x: (n, features). Returns the result and the batch's mean and variance.
    """

    @staticmethod
    def forward(ctx, x, weight, bias, eps):
        mean = x.mean(0)
        var = x.var(0, unbiased=False)
        invstd = torch.rsqrt(var + eps)
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        ctx.mark_non_differentiable(mean, var)
        return (x - mean) * invstd * weight + bias, mean, var

    @staticmethod
    def backward(ctx, grad_y, _grad_mean, _grad_var):
        x, weight = ctx.saved_tensors
        n = x.shape[0]
        invstd = torch.rsqrt(x.var(0, unbiased=False) + ctx.eps)
        xhat = (x - x.mean(0)) * invstd
        grad_x = grad_w = grad_b = None

        sum_dy = grad_y.sum(0)
        sum_dy_xhat = (grad_y.float() * xhat.float()).sum(0)
        if ctx.needs_input_grad[0]:
            centred = grad_y - sum_dy / n - xhat * sum_dy_xhat / n
            grad_x = centred * invstd * weight
        if ctx.needs_input_grad[1]:
            grad_w = sum_dy_xhat
        if ctx.needs_input_grad[2]:
            grad_b = sum_dy
        return grad_x, grad_w, grad_b, None


class BatchNorm(torch.nn.Module):
    def __init__(self, features, momentum=0.1):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(0.5, 1.5, features, dtype=torch.float64))
        self.bias = torch.nn.Parameter(torch.zeros(features, dtype=torch.float64))
        self.register_buffer("running_mean", torch.zeros(features, dtype=torch.float64))
        self.momentum = momentum

    def forward(self, x):
        y, mean, _ = BatchNormTrain.apply(x, self.weight, self.bias, 1e-5)
        self.running_mean.lerp_(mean, self.momentum)
        return y


torch.manual_seed(5)
layer = BatchNorm(4)
x = torch.randn(8, 4, dtype=torch.float64, requires_grad=True)
torch.logsumexp(layer(x) * 2, 1).mean().backward()
print(layer.weight.grad.shape)
