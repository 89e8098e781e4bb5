import torch


class Clips(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        Clips.x = x.clone()
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        return g.clamp(-1, 1) * ctx.saved_tensors[0].exp()


class Rounds(Clips):
    @staticmethod
    def backward(ctx, g):
        return (g * ctx.saved_tensors[0].exp()).round(decimals=6)


class Remembers(Clips):
    @staticmethod
    def backward(ctx, g):
        return g * Clips.x.exp()  # the input of the latest call
