import torch


class MyCube(torch.autograd.Function):
    # vmap gets its rule from forward and backward
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        result = x ** 3
        # the second output saves backward some work
        dx = 3 * x ** 2
        return result, dx

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, = inputs
        result, dx = output
        ctx.save_for_backward(x, dx)

    @staticmethod
    def backward(ctx, grad_output, grad_dx):
        x, dx = ctx.saved_tensors
        return grad_output * dx + grad_dx * 6 * x


def my_cube(x):
    result, dx = MyCube.apply(x)
    return result


x = torch.tensor([1., 2., 3.])
ggx = torch.vmap(torch.func.grad(torch.func.grad(my_cube)))(x)
print(torch.allclose(ggx, 6 * x))
