# fault: missing-term
# line: 35
# order: 1
import torch
from torch.autograd import Function

SMOOTH = 1.0


class DiceLoss(Function):
    """1 - (2 |P and M| + 1) / (|P| + |M| + 1), with P = sigmoid(logits).

    logits, mask: (n, h, w); the result has shape (n,), so that images can be
    weighted by the caller.
    """

    @staticmethod
    def forward(ctx, logits, mask):
        p = torch.sigmoid(logits).flatten(1)
        m = mask.to(p.dtype).flatten(1)
        overlap = (p * m).sum(1)
        total = p.sum(1) + m.sum(1)
        ctx.save_for_backward(logits, mask)
        return 1 - (2 * overlap + SMOOTH) / (total + SMOOTH)

    @staticmethod
    def backward(ctx, grad_output):
        logits, mask = ctx.saved_tensors
        p = torch.sigmoid(logits).flatten(1)
        m = mask.to(p.dtype).flatten(1)
        denominator = (p + m).sum(1, keepdim=True) + SMOOTH

        # quotient rule
        from_overlap = -2 * m / denominator
        grad_p = from_overlap

        grad_logits = grad_p * p * (1 - p)
        grad_logits = grad_logits * grad_output.unsqueeze(1)
        return grad_logits.view_as(logits), None


torch.manual_seed(15)
images = torch.randn(3, 1, 6, 6)
masks = torch.rand(3, 6, 6) > 0.6
net = torch.nn.Conv2d(1, 1, 3, padding=1)
per_image = DiceLoss.apply(net(images).squeeze(1), masks)
loss = (per_image * torch.tensor([1.0, 0.5, 2.0])).sum()
loss.backward()
print(net.weight.grad.shape)
