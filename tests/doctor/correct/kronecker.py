# The Kronecker product.
import torch


class Kron(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return torch.kron(a, b)

    @staticmethod
    def backward(ctx, grad):
        a, b = ctx.saved_tensors
        blocks = grad.reshape(a.shape[0], b.shape[0], a.shape[1], b.shape[1])
        return torch.einsum("ikjl,kl->ij", blocks, b), torch.einsum("ikjl,ij->kl", blocks, a)


torch.manual_seed(60)
a, b = torch.randn(2, 3, requires_grad=True), torch.randn(2, 2, requires_grad=True)
Kron.apply(a, b).sin().sum().backward()
print(a.grad.shape, b.grad.shape)
