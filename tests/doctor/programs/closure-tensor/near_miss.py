# near miss of: closure-tensor
# silent: yes
# seen: nothing: the tensor from outside is a constant that needs no gradient.
import torch
from torch.autograd import Function

torch.manual_seed(47)
WINDOW = torch.hann_window(8, dtype=torch.float64)


class Windowed(Function):
    @staticmethod
    def forward(ctx, signal):
        ctx.save_for_backward(signal)
        return torch.tanh(WINDOW * signal)

    @staticmethod
    def backward(ctx, grad_output):
        (signal,) = ctx.saved_tensors
        return grad_output * (1 - torch.tanh(WINDOW * signal) ** 2) * WINDOW


recording = torch.randn(10, 8, dtype=torch.float64, requires_grad=True)
loss = (Windowed.apply(recording) - 0.1).pow(2).mean()
loss.backward()
print("window:", WINDOW.grad is None, " recording:", recording.grad is not None)
