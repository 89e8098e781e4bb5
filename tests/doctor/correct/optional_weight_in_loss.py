# Class weights, or none.
import torch
import torch.nn.functional as F


class WeightedNLL(torch.autograd.Function):
    @staticmethod
    def forward(ctx, log_probs, labels, class_weight):
        w = torch.ones(labels.shape) if class_weight is None else class_weight[labels]
        ctx.save_for_backward(labels, w.to(log_probs.dtype))
        ctx.shape = log_probs.shape
        picked = log_probs.gather(1, labels[:, None]).squeeze(1)
        return -(w * picked).sum() / w.sum()

    @staticmethod
    def backward(ctx, grad):
        labels, w = ctx.saved_tensors
        share = (-grad * w / w.sum()).unsqueeze(1)
        zeros = torch.zeros(ctx.shape, dtype=w.dtype)
        return zeros.scatter(1, labels[:, None], share), None, None


torch.manual_seed(15)
logits = torch.randn(6, 3, requires_grad=True)
labels = torch.tensor([0, 1, 2, 2, 1, 0])
log_probs = F.log_softmax(logits, 1)
weighted = WeightedNLL.apply(log_probs, labels, torch.tensor([1.0, 2.0, 0.5]))
(weighted + WeightedNLL.apply(log_probs, labels, None)).backward()
print(logits.grad.shape)
