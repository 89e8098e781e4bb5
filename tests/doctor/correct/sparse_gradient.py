# An embedding whose backward returns a sparse gradient.
import torch
from torch.autograd.function import once_differentiable


class SparseEmbedding(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index):
        ctx.save_for_backward(index)
        ctx.shape = table.shape
        return table[index]

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (index,) = ctx.saved_tensors
        return torch.sparse_coo_tensor(index.unsqueeze(0), grad, ctx.shape, check_invariants=True), None


torch.manual_seed(28)
table = torch.randn(100, 4, requires_grad=True)
SparseEmbedding.apply(table, torch.tensor([3, 7, 3])).square().sum().backward()
print(table.grad.is_sparse, table.grad.coalesce().indices().tolist())
