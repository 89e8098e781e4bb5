import torch
from torch.autograd import Function


class MulConstant(Function):
    @staticmethod
    def forward(ctx, tensor, constant):
        # ctx is a context object that can be used to stash information for backward
        ctx.constant = constant
        return tensor * constant

    @staticmethod
    def backward(ctx, grad_output):
        # as many gradients as there were arguments; those of non-tensors must be None
        return grad_output * ctx.constant, None


x = torch.tensor([1., 2., 3.], requires_grad=True)
y = MulConstant.apply(x, 5)
y.backward(torch.ones_like(y))
print(x.grad)
