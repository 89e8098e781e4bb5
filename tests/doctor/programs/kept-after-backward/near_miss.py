# near miss of: kept-after-backward
# silent: yes
# seen: nothing: the large tensor goes through `save_for_backward`, and ctx keeps only numbers.
import torch
from torch.autograd import Function


class PatchMean(Function):
    @staticmethod
    def forward(ctx, images, kernel):
        ctx.save_for_backward(images, kernel)
        ctx.size = images.shape[-2:]
        ctx.mean = float(images.mean())
        columns = torch.nn.functional.unfold(images, 3)
        return (kernel.view(1, -1, 1) * columns).sum(dim=1)

    @staticmethod
    def backward(ctx, grad_output):
        images, kernel = ctx.saved_tensors
        columns = torch.nn.functional.unfold(images, 3)
        spread = kernel.view(1, -1, 1) * grad_output.unsqueeze(1)
        grad_images = torch.nn.functional.fold(spread, ctx.size, 3)
        grad_kernel = (columns * grad_output.unsqueeze(1)).sum(dim=(0, 2)).view_as(kernel)
        return grad_images, grad_kernel


torch.manual_seed(19)
kernel = torch.randn(3, 3, dtype=torch.float64, requires_grad=True)
images = torch.randn(2, 1, 6, 6, dtype=torch.float64)
history = []
for step in range(3):
    loss = PatchMean.apply(images, kernel).pow(2).mean()
    loss.backward()
    history.append(loss.item())
    kernel.grad = None
print("losses kept:", len(history))
