import torch


class MeanStd(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mean = x.mean()
        std = (x - mean).square().mean().sqrt()
        ctx.save_for_backward(x, mean, std)
        return mean, std

    @staticmethod
    def backward(ctx, grad_mean, grad_std):
        print("incoming:", grad_mean, grad_std)
        x, mean, std = ctx.saved_tensors
        n = x.numel()
        return grad_mean / n + grad_std * (x - mean) / (n * std)
