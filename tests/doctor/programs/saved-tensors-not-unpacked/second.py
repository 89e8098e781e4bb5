# pitfall: saved-tensors-not-unpacked
# line: 19
# silent: no
# seen: `index` is a tuple of one tensor instead of the tensor; add a comma: `index, = ctx.saved_tensors`.
import torch


class Gather(torch.autograd.Function):
    """Rows of an embedding table."""

    @staticmethod
    def forward(ctx, table, index):
        ctx.save_for_backward(index)
        ctx.rows = table.shape[0]
        return table[index]

    @staticmethod
    def backward(ctx, grad_rows):
        index = ctx.saved_tensors
        grad_table = grad_rows.new_zeros(ctx.rows, grad_rows.shape[1])
        grad_table.index_add_(0, index, grad_rows)
        return grad_table, None


torch.manual_seed(57)
vocabulary = torch.randn(20, 4, requires_grad=True)
sentence = torch.tensor([3, 7, 7, 1])
embedded = Gather.apply(vocabulary, sentence)
loss = embedded.mean(dim=0).pow(2).sum()
loss.backward()
print(vocabulary.grad[7])
