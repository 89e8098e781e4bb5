# near miss of: kink
# silent: yes
# seen: nothing: the inputs given to gradcheck stay clear of the kink at 0.
import torch
from torch.autograd import Function, gradcheck


class ReLU(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * (x > 0)


ramp = torch.linspace(-2, 2, 6, dtype=torch.float64, requires_grad=True)
loss = ReLU.apply(ramp).pow(2).sum()
loss.backward()
print("slopes:", [int(v) for v in (ramp.grad != 0)])
assert gradcheck(ReLU.apply, (ramp,))
print("gradient verified")
