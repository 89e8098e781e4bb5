# fault: option-ignored
# line: 26
# order: 1
import torch
import torch.nn.functional as F


class FocalLoss(torch.autograd.Function):
    """mean(-(1 - p)^gamma log p), where p is the probability of the true label.

    logits: (n,); is_positive: (n,) of bool; gamma: 0 is plain cross-entropy.
    """

    @staticmethod
    def forward(ctx, logits, is_positive, gamma=2):
        side = torch.where(is_positive, 1.0, -1.0).to(logits.dtype)
        u = side * logits
        p = torch.sigmoid(u)
        losses = -((1 - p) ** gamma) * F.logsigmoid(u)
        ctx.save_for_backward(logits, side)
        return losses.mean()

    @staticmethod
    def backward(ctx, grad_output):
        logits, side = ctx.saved_tensors
        gamma = 2
        u = side * logits
        p = torch.sigmoid(u)

        # d/du of -(1 - p)^gamma log p, with dp/du = p (1 - p)
        from_weight = gamma * (1 - p) ** gamma * p * F.logsigmoid(u)
        from_log = (1 - p) ** (gamma + 1)
        grad_u = from_weight - from_log

        # u = side * logits
        grad_logits = grad_u * side
        scale = grad_output / logits.numel()
        return grad_logits * scale, None, None


torch.manual_seed(12)
anchors = torch.randn(20, 5, dtype=torch.float64)
is_object = torch.rand(20) > 0.7
weight = torch.zeros(5, dtype=torch.float64, requires_grad=True)
bias = torch.full((), -1.0, dtype=torch.float64, requires_grad=True)
logits = anchors @ weight + bias
loss = FocalLoss.apply(logits, is_object, 1.5)
loss.backward()
print(weight.grad.shape)
