# pitfall: forward-called-directly
# line: 32
# silent: yes
# seen: `forward` is called directly, so the custom backward is bypassed; call `ReverseGradient.apply(features, 0.5)`.
import torch
from torch import nn
from torch.autograd import Function


class ReverseGradient(Function):
    @staticmethod
    def forward(x, strength):
        return x.clone()

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.strength = inputs

    @staticmethod
    def backward(ctx, grad_output):
        return -ctx.strength * grad_output, None


class DomainClassifier(nn.Module):
    """Tells source from target; the encoder below it is to learn the opposite."""

    def __init__(self, width):
        super().__init__()
        self.head = nn.Linear(width, 2)

    def forward(self, features):
        features = ReverseGradient.forward(features, 0.5)
        return self.head(features)


torch.manual_seed(1)
encoder = nn.Linear(10, 6)
domain = DomainClassifier(6)
batch, labels = torch.randn(12, 10), torch.randint(0, 2, (12,))

loss = nn.functional.cross_entropy(domain(encoder(batch)), labels)
loss.backward()
print("encoder has a gradient:", encoder.weight.grad is not None)
