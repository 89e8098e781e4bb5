# A Function that torch.func can differentiate twice.
import torch
from torch.func import grad, jacrev


class SoftPlus(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.log1p(torch.exp(x))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * torch.sigmoid(x)


def energy(x):
    return (SoftPlus.apply(x) * x).sum()


x = torch.tensor([0.5, -1.0, 2.0])
hessian = jacrev(grad(energy))(x)
x.requires_grad_()
energy(x).backward()
print(hessian.shape)
