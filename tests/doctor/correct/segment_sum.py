# Sums over the nodes of each graph of a batch.
import torch


class SegmentSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx, nodes, graph, count):
        ctx.save_for_backward(graph)
        return nodes.new_zeros(count, nodes.shape[1]).index_add_(0, graph, nodes)

    @staticmethod
    def backward(ctx, grad):
        (graph,) = ctx.saved_tensors
        return grad.index_select(0, graph), None, None


torch.manual_seed(29)
nodes = torch.randn(7, 3, requires_grad=True)
graph = torch.tensor([0, 0, 1, 1, 1, 2, 2])
SegmentSum.apply(nodes, graph, 3).norm(dim=1).sum().backward()
print(nodes.grad.shape)
