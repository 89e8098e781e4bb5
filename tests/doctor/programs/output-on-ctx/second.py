# pitfall: output-on-ctx
# line: 19
# silent: yes
# seen: `ctx.result` is the output itself, so node and output keep each other alive; save the output with `save_for_backward` in setup_context.
import torch
from torch import nn


class LogSumExp(torch.autograd.Function):
    @staticmethod
    def forward(scores):
        top = scores.max(dim=-1, keepdim=True).values
        return (scores - top).exp().sum(dim=-1).log() + top.squeeze(-1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (scores,) = inputs
        ctx.save_for_backward(scores)
        ctx.result = output

    @staticmethod
    def backward(ctx, grad_output):
        (scores,) = ctx.saved_tensors
        weights = (scores - ctx.result.unsqueeze(-1)).exp()
        return grad_output.unsqueeze(-1) * weights


torch.manual_seed(18)
model = nn.Linear(20, 5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
documents, topics = torch.randn(64, 20), torch.randint(0, 5, (64,))
for batch in range(8):
    optimizer.zero_grad()
    scores = model(documents)
    loss = (LogSumExp.apply(scores) - scores[torch.arange(64), topics]).mean()
    loss.backward()
    optimizer.step()
print("trained for", batch + 1, "batches")
