# pitfall: kept-after-backward
# line: 15
# silent: yes
# seen: `ctx.columns` is large and stays in memory after backward as long as the output lives; recompute it, or use `save_for_backward`.
import torch
from torch.autograd import Function


class PatchMean(Function):
    """Response of one 5x5 filter on grey images."""

    @staticmethod
    def forward(ctx, images, kernel):
        columns = torch.nn.functional.unfold(images, 5)
        ctx.columns = columns
        ctx.save_for_backward(kernel)
        ctx.size = images.shape[-2:]
        return (kernel.view(1, -1, 1) * columns).sum(dim=1)

    @staticmethod
    def backward(ctx, grad_output):
        (kernel,) = ctx.saved_tensors
        spread = kernel.view(1, -1, 1) * grad_output.unsqueeze(1)
        grad_images = torch.nn.functional.fold(spread, ctx.size, 5)
        grad_kernel = (ctx.columns * grad_output.unsqueeze(1)).sum(dim=(0, 2)).view_as(kernel)
        return grad_images, grad_kernel


torch.manual_seed(19)
kernel = torch.randn(5, 5, requires_grad=True)
images = torch.randn(4, 1, 40, 40)
history = []
for step in range(6):
    response = PatchMean.apply(images, kernel)
    loss = response.pow(2).mean()
    loss.backward()
    history.append(loss)
print("losses kept:", len(history))
