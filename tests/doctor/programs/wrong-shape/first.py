# pitfall: wrong-shape
# line: 21
# silent: no
# seen: the gradient of `weight` comes out transposed, [5, 2] for [2, 5]; the einsum has to end in `->oi`.
import torch
from torch import nn
from torch.autograd import Function


class Conv1x1(Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return torch.einsum("bil,oi->bol", x, weight)

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad_x = torch.einsum("bol,oi->bil", grad_output, weight)
        grad_weight = torch.einsum("bol,bil->io", grad_output, x)
        return grad_x, grad_weight


torch.manual_seed(66)
kernel = nn.Parameter(torch.randn(2, 5))
signal = torch.randn(3, 5, 9)
heard = Conv1x1.apply(signal, kernel)
loss = heard.pow(2).mean()
loss.backward()
print(kernel.grad)
