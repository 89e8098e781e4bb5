import torch


class Split(torch.autograd.Function):
    @staticmethod
    def forward(ctx, h0, h1):
        half = h0.shape[-1] // 2
        return h0[..., :half].clone(), h1[..., half:].clone()

    @staticmethod
    def backward(ctx, g0, g1):
        whole = torch.cat([g0, g1], dim=-1)
        return whole, whole.clone()


class Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx, p0, p1):
        whole = torch.cat([p0, p1], dim=-1)
        return whole, whole.clone()

    @staticmethod
    def backward(ctx, g0, g1):
        half = g0.shape[-1] // 2
        g = g0 + g1
        return g[..., :half], g[..., half:]
