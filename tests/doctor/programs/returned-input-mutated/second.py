# pitfall: returned-input-mutated
# line: 12
# silent: no
# seen: `ClipGradient` hands back the very tensor it got, and the `relu_` after it changes a view of it; return a copy.
import torch
from torch import nn


class ClipGradient(torch.autograd.Function):
    @staticmethod
    def forward(tensor, limit):
        return tensor

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.limit = inputs[1]

    @staticmethod
    def backward(ctx, grad_output):
        norm = grad_output.norm()
        return grad_output * (ctx.limit / norm.clamp(min=ctx.limit)), None


class Cell(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.recur = nn.Linear(width, width)

    def forward(self, state, word):
        state = ClipGradient.apply(self.recur(state) + word, 1.0)
        return state.relu_()


torch.manual_seed(29)
cell = Cell(4)
state = torch.zeros(1, 4)
for word in torch.randn(5, 1, 4):
    state = cell(state, word)
state.sum().backward()
print(cell.recur.weight.grad)
