# Scores and the class they choose.
import torch


class Classify(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        scores = x @ w
        label = scores.argmax(1)
        ctx.mark_non_differentiable(label)
        ctx.save_for_backward(x, w)
        return scores, label

    @staticmethod
    def backward(ctx, grad, _):
        x, w = ctx.saved_tensors
        return grad @ w.t(), x.t() @ grad


torch.manual_seed(46)
x, w = torch.randn(4, 3), torch.randn(3, 5, requires_grad=True)
scores, label = Classify.apply(x, w)
torch.nn.functional.cross_entropy(scores, label).backward()
print(label.requires_grad, w.grad.shape)
