from torch.autograd import gradgradcheck


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(x.numpy() ** 3)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return CubeBackward.apply(grad_output, x)


print(gradcheck(Cube.apply, x))
print(gradgradcheck(Cube.apply, x))
