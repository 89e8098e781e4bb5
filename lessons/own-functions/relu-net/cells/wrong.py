class MinusRelu(Relu):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.where(x > 0, -g, 0)


class NoGate(Relu):
    @staticmethod
    def backward(ctx, g):
        return g
