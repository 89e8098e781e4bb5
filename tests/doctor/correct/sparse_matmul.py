# A constant sparse matrix times a dense one.
import torch


class SparseMM(torch.autograd.Function):
    @staticmethod
    def forward(ctx, sparse, dense):
        ctx.sparse = sparse
        return torch.sparse.mm(sparse, dense)

    @staticmethod
    def backward(ctx, grad):
        return None, torch.sparse.mm(ctx.sparse.t(), grad)


torch.manual_seed(26)
index = torch.tensor([[0, 1, 2, 2], [1, 2, 0, 2]])
adjacency = torch.sparse_coo_tensor(index, torch.tensor([1.0, 0.5, 2.0, 1.0]), (3, 3), check_invariants=True)
features = torch.randn(3, 4, requires_grad=True)
SparseMM.apply(adjacency, features).relu().sum().backward()
print(features.grad.shape)
