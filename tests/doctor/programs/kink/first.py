# pitfall: kink
# line: 26
# silent: no
# seen: gradcheck steps across the kink of relu at exactly 0, so its numerical slope 0.5 is no fair witness; check at inputs away from 0.
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


ramp = torch.linspace(-2, 2, 5, dtype=torch.float64, requires_grad=True)
weight = torch.randn(5, dtype=torch.float64, generator=torch.Generator().manual_seed(55))
loss = (weight * ReLU.apply(ramp)).sum()
loss.backward()
print("slopes:", [int(v) for v in (ramp.grad != 0)])
assert gradcheck(ReLU.apply, (ramp,))
print("gradient verified")
