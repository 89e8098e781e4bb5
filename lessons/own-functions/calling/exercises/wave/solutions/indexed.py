from torch.autograd import Function


class Wave(Function):
    @staticmethod
    def forward(x, rate=2.0):
        return (x * rate).sin()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])
        ctx.rate = inputs[1]

    @staticmethod
    def backward(ctx, g):
        x = ctx.saved_tensors[0]
        slope = ctx.rate * (x * ctx.rate).cos()
        return slope * g, None


plain = Wave.forward
