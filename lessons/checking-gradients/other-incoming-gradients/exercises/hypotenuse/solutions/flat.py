from torch.autograd import Function


class Hypot(Function):
    @staticmethod
    def forward(x, y):
        return (x * x + y * y).sqrt()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)

    @staticmethod
    def backward(ctx, g):
        x, y, out = ctx.saved_tensors
        flat = g.reshape(-1) / out.reshape(-1)
        slope = flat.view(x.shape)
        return slope * x, slope * y
