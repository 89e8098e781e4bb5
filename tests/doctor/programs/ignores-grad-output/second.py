# pitfall: ignores-grad-output
# line: 21
# silent: yes
# seen: the incoming gradient is never used, so everything after this loss (its weight 0.1) is lost; multiply by `grad_output`.
import torch
from torch import nn


class CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, labels):
        shares = torch.softmax(logits, dim=1)
        ctx.save_for_backward(logits, labels)
        return -shares[torch.arange(len(labels)), labels].log().mean()

    @staticmethod
    def backward(ctx, grad_output):
        logits, labels = ctx.saved_tensors
        grad = torch.softmax(logits, dim=1)
        grad[torch.arange(len(labels)), labels] -= 1
        return grad / len(labels), None


class TwoTasks(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(9, 6)
        self.kind = nn.Linear(6, 3)
        self.age = nn.Linear(6, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return self.kind(h), self.age(h)


torch.manual_seed(50)
model = TwoTasks()
trees, kinds, ages = torch.randn(12, 9), torch.randint(0, 3, (12,)), torch.rand(12, 1)
logits, predicted = model(trees)
loss = 0.1 * CrossEntropy.apply(logits, kinds) + (predicted - ages).pow(2).mean()
loss.backward()
print("two tasks, one gradient")
