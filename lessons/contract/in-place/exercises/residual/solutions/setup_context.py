from torch.autograd import Function


class Quartic(Function):
    @staticmethod
    def forward(x):
        return x.pow(4)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0]
        return 4 * g * x.pow(3)


def residual(x):
    doubled = x + x
    shifted = doubled.clone().add_(1)
    return Quartic.apply(doubled) + shifted


def changed(x):
    h = 1 * x
    y = Quartic.apply(h)
    h.mul_(2)
    return y
