import torch


class Split(torch.autograd.Function):
    @staticmethod
    def forward(h0, h1):
        n = h0.size(-1) // 2
        return h0.narrow(-1, 0, n).clone(), h1.narrow(-1, n, n).clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g0, g1):
        return Gather.apply(g0, g1)


class Gather(torch.autograd.Function):
    @staticmethod
    def forward(p0, p1):
        return torch.concat([p0, p1], dim=-1), torch.concat([p0, p1], dim=-1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g0, g1):
        return Split.apply(g0, g1)
