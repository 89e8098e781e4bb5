import torch
import torchviz


class Sinh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        exp_x = torch.exp(x)
        exp_negx = torch.exp(-x)
        ctx.save_for_backward(exp_x, exp_negx)
        # return the intermediates as well, so that gradients can reach them
        return (exp_x - exp_negx) / 2, exp_x, exp_negx

    @staticmethod
    def backward(ctx, grad_out, grad_exp_x, grad_exp_negx):
        exp_x, exp_negx = ctx.saved_tensors
        result = grad_out * (exp_x + exp_negx) / 2
        # they depend on x, too
        result = result + grad_exp_x * exp_x
        result = result - grad_exp_negx * exp_negx
        return result


def sinh(x):
    # only the first output is for the user
    return Sinh.apply(x)[0]


x = torch.rand(3, 3, requires_grad=True, dtype=torch.double)
assert torch.autograd.gradcheck(sinh, x)
assert torch.autograd.gradgradcheck(sinh, x)

x = torch.tensor(1., requires_grad=True)
out = sinh(x)
grad_x, = torch.autograd.grad(out.sum(), x, create_graph=True)
dot = torchviz.make_dot((grad_x, x, out), params={"grad_x": grad_x, "x": x, "out": out})
dot
