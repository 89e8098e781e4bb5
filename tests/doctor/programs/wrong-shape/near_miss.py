# near miss of: wrong-shape
# silent: yes
# seen: nothing: the gradient has one leading dimension of size 1 more than the input and the same values.
import torch
from torch.autograd import Function


class RowBias(Function):
    @staticmethod
    def forward(ctx, table, bias):
        return table + bias

    @staticmethod
    def backward(ctx, grad_output):
        grad_bias = grad_output.sum(dim=0, keepdim=True)
        return grad_output, grad_bias


torch.manual_seed(66)
table = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
bias = torch.randn(3, dtype=torch.float64, requires_grad=True)
loss = RowBias.apply(table, bias).pow(2).mean()
loss.backward()
print(tuple(bias.grad.shape))
