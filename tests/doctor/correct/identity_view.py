# The identity, as a view.
import torch


class Identity(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


x = torch.randn(3, generator=torch.Generator().manual_seed(0)).requires_grad_()
Identity.apply(x).exp().sum().backward()
print(torch.equal(x.grad, x.detach().exp()))
