# Multiplicative noise from the caller's generator.
import torch


class Jitter(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength, generator):
        noise = 1 + strength * torch.rand(x.shape, generator=generator, dtype=x.dtype)
        ctx.save_for_backward(noise)
        return x * noise

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0], None, None


x = torch.ones(5, dtype=torch.float64, requires_grad=True)
Jitter.apply(x, 0.1, torch.Generator().manual_seed(3)).prod().backward()
print(x.grad.shape)
