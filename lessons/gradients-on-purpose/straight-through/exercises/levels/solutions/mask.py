from torch.autograd import Function


class Quantise(Function):
    @staticmethod
    def forward(x, levels, low, high):
        scale = (levels - 1) / (high - low)
        index = ((x - low) * scale).round().clamp(0, levels - 1)
        return index / scale + low

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, _, low, high = inputs
        ctx.save_for_backward((x >= low) & (x <= high))

    @staticmethod
    def backward(ctx, g):
        (inside,) = ctx.saved_tensors
        return g * inside, None, None, None
