# Conjugation is its own adjoint.
import torch


class Conjugate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        return z.conj().resolve_conj()

    @staticmethod
    def backward(ctx, grad):
        return grad.conj()


z = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
(Conjugate.apply(z) * z * (1 + 1j)).real.sum().backward()
print(z.grad)
