# Runs in float32 inside of an autocast region.
import torch
from torch.amp import custom_bwd, custom_fwd


class SafeSoftmax(torch.autograd.Function):
    @staticmethod
    @custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx, x):
        y = torch.softmax(x, -1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    @custom_bwd(device_type="cpu")
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return y * (grad - (grad * y).sum(-1, keepdim=True))


torch.manual_seed(43)
layer = torch.nn.Linear(4, 3)
with torch.autocast("cpu", dtype=torch.bfloat16):
    p = SafeSoftmax.apply(layer(torch.randn(2, 4)))
p[:, 0].log().sum().backward()
print(p.dtype, layer.weight.grad.dtype)
