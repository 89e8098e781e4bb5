from torch import stack
from torch.autograd import Function


class ClipRows(Function):
    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        return x + 0

    @staticmethod
    def backward(ctx, g):
        rows = []
        for row in g:
            size = row.norm()
            rows.append(row / size * ctx.limit if size > ctx.limit else row)
        return stack(rows), None
