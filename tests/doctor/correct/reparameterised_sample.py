# A Gaussian sample; the noise is saved.
import torch


class Sample(torch.autograd.Function):
    @staticmethod
    def forward(ctx, mean, log_std):
        noise = torch.randn_like(mean)
        ctx.save_for_backward(log_std, noise)
        return mean + log_std.exp() * noise

    @staticmethod
    def backward(ctx, grad):
        log_std, noise = ctx.saved_tensors
        return grad, grad * log_std.exp() * noise


torch.manual_seed(64)
mean, log_std = torch.zeros(4, requires_grad=True), torch.zeros(4, requires_grad=True)
Sample.apply(mean, log_std).square().sum().backward()
print(mean.grad.shape, log_std.grad.shape)
