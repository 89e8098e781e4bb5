# pitfall: wrong-dtype
# line: 20
# silent: yes
# seen: the gradient of a double input is computed in float32 and cast back, which loses half of its digits; remove `.float()`.
import torch
from torch.autograd import Function


class Distance(Function):
    """Great-circle style distance of close stations, where digits matter."""

    @staticmethod
    def forward(ctx, here, there):
        ctx.save_for_backward(here, there)
        return (here - there).norm(dim=1)

    @staticmethod
    def backward(ctx, grad_output):
        here, there = ctx.saved_tensors
        difference = (here - there).float()
        direction = difference / difference.norm(dim=1, keepdim=True)
        grad = grad_output.float().unsqueeze(1) * direction
        return grad, -grad


torch.manual_seed(64)
stations = torch.rand(7, 3, dtype=torch.float64) * 1000
moved = (stations + torch.randn(7, 3, dtype=torch.float64) * 1e-2).requires_grad_(True)
loss = Distance.apply(moved, stations).sum()
loss.backward()
exact = torch.autograd.grad((moved - stations).norm(dim=1).sum(), moved)[0]
print("as autograd has it:", torch.allclose(moved.grad, exact, rtol=1e-12, atol=0))
