# Table lookup with linear interpolation in NumPy.
import numpy as np
import torch
from torch.autograd.function import once_differentiable

GRID = np.linspace(-3, 3, 13)


class Lookup(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, table):
        ctx.save_for_backward(x, table)
        return torch.from_numpy(np.interp(x.detach().numpy(), GRID, table.detach().numpy()))

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        x, table = (t.numpy() for t in ctx.saved_tensors)
        cell = np.clip(np.searchsorted(GRID, x) - 1, 0, len(GRID) - 2)
        step = GRID[1] - GRID[0]
        part = (x - GRID[cell]) / step
        grad_x = grad.numpy() * (table[cell + 1] - table[cell]) / step
        grad_table = np.zeros_like(table)
        np.add.at(grad_table, cell, grad.numpy() * (1 - part))
        np.add.at(grad_table, cell + 1, grad.numpy() * part)
        return torch.from_numpy(grad_x), torch.from_numpy(grad_table)


torch.manual_seed(19)
x = (torch.rand(8, dtype=torch.float64) * 4 - 2).requires_grad_()
table = torch.randn(13, dtype=torch.float64, requires_grad=True)
Lookup.apply(x, table).sum().backward()
print(x.grad.shape, table.grad.shape)
