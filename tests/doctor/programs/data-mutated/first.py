# pitfall: data-mutated
# line: 16
# silent: yes
# seen: `.data` changes a saved tensor without raising its version, so backward uses the new value; compute into a new tensor.
import torch
from torch.autograd import Function


class Interaction(Function):
    """Pairwise product of an embedding with a context vector."""

    @staticmethod
    def forward(ctx, user, item):
        ctx.save_for_backward(user, item)
        score = (user * item).sum(dim=-1)
        user.data.div_(user.data.norm(dim=-1, keepdim=True))
        return score

    @staticmethod
    def backward(ctx, grad_score):
        user, item = ctx.saved_tensors
        grad = grad_score.unsqueeze(-1)
        return grad * item, grad * user


torch.manual_seed(15)
users = torch.randn(6, 8, requires_grad=True)
items = torch.randn(6, 8, requires_grad=True)
liked = torch.tensor([1.0, 0, 1, 1, 0, 0])
logits = Interaction.apply(users, items)
loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, liked)
loss.backward()
print("items:", tuple(items.grad.shape))
