# intended: reversed
# The layer of domain-adversarial training (Ganin and Lempitsky 2015).
import torch
from torch.autograd import Function


class ReverseLayerF(Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_output):
        output = grad_output.neg() * ctx.alpha
        return output, None


torch.manual_seed(35)
features = torch.nn.Linear(4, 3)
domain = torch.nn.Linear(3, 2)
x = torch.randn(8, 4)
logits = domain(ReverseLayerF.apply(features(x), 0.5))
torch.nn.functional.cross_entropy(logits, torch.randint(2, (8,))).backward()
print(features.weight.grad.shape)
