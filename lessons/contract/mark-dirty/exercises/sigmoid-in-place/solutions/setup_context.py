from torch.autograd import Function


class SigmoidInPlace(Function):
    @staticmethod
    def forward(x):
        return x.neg_().exp_().add_(1).reciprocal_()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(inputs[0])
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y * (1 - y)


def both(a):
    h = a.clone()
    y = SigmoidInPlace.apply(h)
    return y, h
