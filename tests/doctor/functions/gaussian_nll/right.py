# Negative log-likelihood of a Gaussian whose mean and log-variance are predicted.
import torch


class GaussianNLL(torch.autograd.Function):
    """0.5 * mean(log_var + (target - mean)^2 / exp(log_var)).

    All three have the same shape. The target may require a gradient, too:
    then it is the negative of the mean's.
    """

    @staticmethod
    def forward(ctx, mean, log_var, target):
        if not mean.shape == log_var.shape == target.shape:
            raise ValueError("three equal shapes are needed")
        error = target - mean
        precision = torch.exp(-log_var)
        terms = log_var + error**2 * precision
        ctx.save_for_backward(mean, log_var, target)
        return 0.5 * terms.mean()

    @staticmethod
    def backward(ctx, grad_output):
        mean, log_var, target = ctx.saved_tensors
        weight = grad_output / mean.numel()
        error = target - mean
        precision = torch.exp(-log_var)

        grad_mean = grad_log_var = grad_target = None
        if ctx.needs_input_grad[0]:
            grad_mean = -weight * error * precision
        if ctx.needs_input_grad[1]:
            grad_log_var = 0.5 * weight * (1 - error**2 * precision)
        if ctx.needs_input_grad[2]:
            grad_target = weight * error * precision
        return grad_mean, grad_log_var, grad_target


class Forecaster(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(3, 8)
        self.mean = torch.nn.Linear(8, 1)
        self.log_var = torch.nn.Linear(8, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return self.mean(h).squeeze(1), self.log_var(h).squeeze(1)


torch.manual_seed(14)
model = Forecaster()
x = torch.randn(16, 3)
y = x[:, 0] * 2 + 0.3 * torch.randn(16)
GaussianNLL.apply(*model(x), y).backward()
print(model.mean.weight.grad.shape, model.log_var.weight.grad.shape)
