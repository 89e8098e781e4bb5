# pitfall: wrong-shape
# line: 21
# silent: yes
# seen: `grad_weight` has the table's shape, and autograd silently sums it to the weight's, so it is as many times too large as there are rows; leave out `expand_as`.
import torch
from torch import nn


class ColumnScale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, weight):
        ctx.save_for_backward(table, weight)
        return (table * weight).mean(dim=0)

    @staticmethod
    def backward(ctx, grad_output):
        table, weight = ctx.saved_tensors
        rows = table.shape[0]
        grad_table = (grad_output * weight / rows).expand_as(table)
        grad_weight = grad_output * table.mean(dim=0, keepdim=True).expand_as(table)
        return grad_table, grad_weight


class Reweigh(nn.Module):
    def __init__(self, columns):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(columns))

    def forward(self, table):
        return ColumnScale.apply(table, self.weight)


torch.manual_seed(67)
survey = torch.rand(8, 4)
model = Reweigh(4)
loss = (model(survey) - 0.25).pow(2).sum()
loss.backward()
print("weight:", tuple(model.weight.grad.shape))
