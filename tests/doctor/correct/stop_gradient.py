# intended: stopped
# No gradient for the target network's output.
import torch


class StopGradient(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return torch.zeros_like(grad)


w = torch.tensor([1.0, 2.0], requires_grad=True)
prediction = w * 3
loss = (prediction - StopGradient.apply(w * 2)).square().sum()
loss.backward()
print(w.grad.tolist())
