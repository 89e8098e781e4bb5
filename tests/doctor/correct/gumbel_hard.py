# intended: surrogate
# One-hot forward, softmax backward.
import torch


class HardOneHot(torch.autograd.Function):
    @staticmethod
    def forward(ctx, probs):
        index = probs.argmax(-1, keepdim=True)
        return torch.zeros_like(probs).scatter_(-1, index, 1.0)

    @staticmethod
    def backward(ctx, grad):
        return grad


torch.manual_seed(41)
logits = torch.randn(5, 4, requires_grad=True)
codes = torch.randn(4, 2)
(HardOneHot.apply(logits.softmax(-1)) @ codes).square().sum().backward()
print(logits.grad.shape)
