# near miss of: mark-dirty-misused
# silent: yes
# seen: nothing: what is marked dirty was changed in place, is returned, and is no leaf.
import torch
from torch.autograd import Function


class Normalise(Function):
    @staticmethod
    def forward(ctx, vector):
        length = vector.norm()
        vector.div_(length)
        ctx.mark_dirty(vector)
        ctx.save_for_backward(vector, length)
        return vector

    @staticmethod
    def backward(ctx, grad_output):
        unit, length = ctx.saved_tensors
        along = (grad_output * unit).sum()
        return (grad_output - along * unit) / length


torch.manual_seed(26)
query = torch.randn(16, dtype=torch.float64, requires_grad=True)
documents = torch.randn(5, 16, dtype=torch.float64)
similarity = documents @ Normalise.apply(query.clone())
loss = -similarity.max()
loss.backward()
print(tuple(query.grad.shape))
