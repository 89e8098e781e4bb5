# pitfall: closure-tensor
# line: 17
# silent: yes
# seen: forward uses the tensor `gain` from outside, so `gain` gets no gradient; pass it as an argument and return its gradient.
import torch
from torch.autograd import Function

torch.manual_seed(47)
gain = torch.tensor(1.5, requires_grad=True)
bias = torch.zeros(4, requires_grad=True)


class Amplifier(Function):
    @staticmethod
    def forward(ctx, signal):
        ctx.save_for_backward(signal)
        return torch.tanh(gain * signal)

    @staticmethod
    def backward(ctx, grad_output):
        (signal,) = ctx.saved_tensors
        return grad_output * (1 - torch.tanh(gain * signal) ** 2) * gain


recording = torch.randn(10, 4)
wanted = torch.tanh(2 * recording)
for _ in range(4):
    loss = (Amplifier.apply(recording + bias) - wanted).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        for parameter in (gain, bias):
            if parameter.grad is not None:
                parameter -= 0.5 * parameter.grad
                parameter.grad = None
print("gain is still", gain.item())
