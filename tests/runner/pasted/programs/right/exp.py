import torch
from torchviz import make_dot


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = torch.exp(x)
        # the derivative of exp is exp: keep the output, not the input
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx, grad_out):
        (result,) = ctx.saved_tensors
        return result * grad_out


exp = Exp.apply

x = torch.tensor(1., requires_grad=True, dtype=torch.double).clone()
assert torch.autograd.gradcheck(exp, x)
assert torch.autograd.gradgradcheck(exp, x)

out = exp(x)
grad_x, = torch.autograd.grad(out, x, create_graph=True)
make_dot((grad_x, x, out), params={"grad_x": grad_x, "x": x, "out": out})
