# The k greatest of each row.
import torch


class TopK(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, k):
        values, index = torch.topk(scores, k, dim=-1)
        ctx.mark_non_differentiable(index)
        ctx.save_for_backward(index)
        ctx.width = scores.shape[-1]
        return values, index

    @staticmethod
    def backward(ctx, grad_values, grad_index):
        (index,) = ctx.saved_tensors
        grad = torch.zeros(*index.shape[:-1], ctx.width, dtype=grad_values.dtype)
        return grad.scatter(-1, index, grad_values), None


torch.manual_seed(7)
gate = torch.randn(5, 6, requires_grad=True)
values, experts = TopK.apply(gate, 2)
torch.softmax(values, -1)[:, 0].log().sum().backward()
print(experts.shape)
