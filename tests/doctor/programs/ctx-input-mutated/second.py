# pitfall: ctx-input-mutated
# line: 11
# silent: yes
# seen: `weight` stored as an attribute of ctx has another value when backward reads it; store it with `save_for_backward`.
import torch


class Project(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.x, ctx.weight = x, weight
        return x @ weight

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output @ ctx.weight.t(), ctx.x.t() @ grad_output


torch.manual_seed(14)
features = torch.randn(7, 4, requires_grad=True)
weight = torch.randn(4, 2)
running = torch.zeros(4, 2)

loss = torch.zeros(())
for step in range(3):
    out = Project.apply(features, weight)
    loss = loss + out.pow(2).mean()
    running += weight
    # weight decay between the steps of the unrolled loop
    weight *= 0.5

loss.backward()
print("features:", tuple(features.grad.shape))
