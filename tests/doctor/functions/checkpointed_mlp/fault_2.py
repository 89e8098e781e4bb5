# fault: closure
# line: 17
# order: 1
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


class CheckpointedMLP(Function):
    """relu(x W1 + b1) W2, without storing the hidden layer.

    backward runs the layers again with a graph of their own.
    """

    @staticmethod
    def run(x, w1, w2):
        return torch.relu(x @ w1 + b1) @ w2

    @staticmethod
    def forward(ctx, x, w1, w2):
        ctx.save_for_backward(x, w1, w2)
        return CheckpointedMLP.run(x, w1, w2)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_out):
        saved = ctx.saved_tensors
        wanted = ctx.needs_input_grad
        with torch.enable_grad():
            copies = [
                tensor.detach().requires_grad_(need)
                for tensor, need in zip(saved, wanted)
            ]
            out = CheckpointedMLP.run(*copies)
        inputs = [copy for copy, need in zip(copies, wanted) if need]
        grads = torch.autograd.grad(out, inputs, grad_out)
        found = iter(grads)
        result = [next(found) if need else None for need in wanted]
        return tuple(result)


torch.manual_seed(25)
tokens = torch.randn(6, 5)
w1 = torch.randn(5, 5, requires_grad=True)
b1 = torch.zeros(5, requires_grad=True)
w2 = torch.randn(5, 5, requires_grad=True)
first = CheckpointedMLP.apply(tokens, w1, w2)
second = CheckpointedMLP.apply(first, w1, w2)
torch.log_softmax(second, 1)[:, 0].mean().neg().backward()
print(w1.grad.shape, b1.grad, w2.grad.shape)
