# The mean of the embeddings of a bag of tokens; padding is not counted.
import torch
from torch.autograd import Function

PADDING = 0


class MeanBag(Function):
    """Averages rows of a table, as torch.nn.EmbeddingBag does with mode="mean"."""

    @staticmethod
    def forward(ctx, table, tokens):
        """table: (vocabulary, d); tokens: (bags, length) of integers."""
        if tokens.dtype != torch.int64:
            raise TypeError("tokens have to be integers")
        real = (tokens != PADDING).to(table.dtype)
        count = real.sum(1, keepdim=True).clamp(min=1)
        rows = table[tokens] * real.unsqueeze(2)
        ctx.save_for_backward(tokens)
        ctx.vocabulary = table.shape[0]
        return rows.sum(1) / count

    @staticmethod
    def backward(ctx, grad_bags):
        (tokens,) = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None, None
        real = (tokens != PADDING).to(grad_bags.dtype)
        count = real.sum(1, keepdim=True).clamp(min=1)
        d = grad_bags.shape[1]

        # every token of a bag receives the bag's gradient, a share each
        share = (real / count).unsqueeze(2)
        per_token = (grad_bags.unsqueeze(1) * share).reshape(-1, d)

        grad_table = grad_bags.new_zeros(ctx.vocabulary, d)
        grad_table = grad_table.index_add(0, tokens.reshape(-1), per_token)
        return grad_table, None


torch.manual_seed(27)
table = torch.randn(10, 4, dtype=torch.float64, requires_grad=True)
documents = torch.tensor([[3, 5, 3, 0, 0], [1, 2, 9, 4, 5], [7, 7, 7, 7, 0]])
classifier = torch.nn.Linear(4, 2, dtype=torch.float64)
logits = classifier(MeanBag.apply(table, documents))
torch.nn.functional.cross_entropy(logits, torch.tensor([0, 1, 1])).backward()
print(table.grad.shape)
