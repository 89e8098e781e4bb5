# fault: saved-intermediate
# line: 27
# order: 2
import torch
from torch.autograd import Function


class SmoothedCrossEntropy(Function):
    """Mean over the batch of -sum(target * log_softmax(logits)).

    logits: (batch, classes); labels: (batch,) of integers.
    """

    @staticmethod
    def smooth(logits, labels, smoothing):
        classes = logits.shape[1]
        target = torch.full_like(logits, smoothing / classes)
        own = torch.full_like(logits[:, :1], 1 - smoothing)
        return target.scatter_add(1, labels.unsqueeze(1), own)

    @staticmethod
    def forward(ctx, logits, labels, smoothing):
        top = logits.max(dim=1, keepdim=True).values
        shifted = logits - top
        log_probs = shifted - shifted.exp().sum(1, keepdim=True).log()
        target = SmoothedCrossEntropy.smooth(logits, labels, smoothing)
        ctx.save_for_backward(log_probs, target)
        ctx.smoothing = smoothing
        return -(target * log_probs).sum(1).mean()

    @staticmethod
    def backward(ctx, grad_loss):
        log_probs, target = ctx.saved_tensors
        probs = log_probs.exp()
        batch = log_probs.shape[0]
        grad_logits = (probs - target) * grad_loss / batch
        return grad_logits, None, None


torch.manual_seed(11)
features = torch.randn(8, 6)
labels = torch.tensor([0, 3, 1, 1, 2, 0, 3, 2])
classifier = torch.nn.Linear(6, 4)
optimizer = torch.optim.SGD(classifier.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = SmoothedCrossEntropy.apply(classifier(features), labels, 0.1)
    loss.backward()
    optimizer.step()
print(classifier.weight.grad.shape)
