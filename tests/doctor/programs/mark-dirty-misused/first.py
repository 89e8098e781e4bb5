# pitfall: mark-dirty-misused
# line: 14
# silent: no
# seen: a leaf that requires grad may not be changed in place; pass a result, not the leaf, or leave it unchanged and drop `mark_dirty`.
import torch
from torch.autograd import Function


class Normalise(Function):
    @staticmethod
    def forward(ctx, vector):
        length = vector.norm()
        vector.div_(length)
        ctx.mark_dirty(vector)
        ctx.save_for_backward(vector.clone(), length)
        return vector

    @staticmethod
    def backward(ctx, grad_output):
        unit, length = ctx.saved_tensors
        along = (grad_output * unit).sum()
        return (grad_output - along * unit) / length


torch.manual_seed(26)
query = torch.randn(16, requires_grad=True)
documents = torch.randn(5, 16)
similarity = documents @ Normalise.apply(query)
loss = -similarity.max()
loss.backward()
print(query.grad)
