# exercise: gradients-on-purpose/fixed-point/kepler
# caught by: gradients, second
# Autograd goes back through all steps of the solver.
import torch


def solve(m, e):
    root = m + e * torch.sin(m)
    for _ in range(20):
        miss = root - e * torch.sin(root) - m
        root = root - miss / (1 - e * torch.cos(root))
    return root


class Kepler(torch.autograd.Function):
    @staticmethod
    def forward(ctx, m, e):
        ctx.save_for_backward(m, e)
        return solve(m, e)

    @staticmethod
    def backward(ctx, g):
        m, e = ctx.saved_tensors
        with torch.enable_grad():
            m2, e2 = m.view_as(m), e.view_as(e)
            if not m2.requires_grad:
                m2.requires_grad_()
            if not e2.requires_grad:
                e2.requires_grad_()
            out = solve(m2, e2)
            return torch.autograd.grad(out, (m2, e2), g, create_graph=True)
