import torch


class FixedPoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w, x, steps):
        z = torch.zeros_like(x)
        for _ in range(steps):
            z = torch.tanh(w @ z + x)
        ctx.save_for_backward(w, z)
        return z

    @staticmethod
    def backward(ctx, g):
        w, z = ctx.saved_tensors
        d = 1 - z**2
        system = torch.eye(len(z), dtype=z.dtype) - w.T * d
        u = torch.linalg.solve(system, g)  # no steps in here
        return torch.outer(d * u, z), d * u, None
