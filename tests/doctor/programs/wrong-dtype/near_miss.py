# near miss of: wrong-dtype
# silent: yes
# seen: nothing: backward computes in double precision and returns the input's own type.
import torch
from torch.autograd import Function


class Distance(Function):
    @staticmethod
    def forward(ctx, here, there):
        ctx.save_for_backward(here, there)
        return (here.double() - there.double()).norm(dim=1).to(here.dtype)

    @staticmethod
    def backward(ctx, grad_output):
        here, there = ctx.saved_tensors
        difference = here.double() - there.double()
        direction = difference / difference.norm(dim=1, keepdim=True)
        grad = grad_output.double().unsqueeze(1) * direction
        return grad.to(here.dtype), -grad.to(there.dtype)


torch.manual_seed(64)
stations = torch.rand(7, 3) * 10
moved = (stations + torch.randn(7, 3)).requires_grad_(True)
loss = Distance.apply(moved, stations).sum()
loss.backward()
print("dtype of the gradient:", moved.grad.dtype)
