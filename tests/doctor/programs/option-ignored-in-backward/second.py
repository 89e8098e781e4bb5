# pitfall: option-ignored-in-backward
# line: 22
# silent: yes
# seen: backward takes the softmax without the mask of `causal=True`, so future tokens get gradients; keep `causal` and mask there, too.
import torch


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, causal=False):
        scores = q @ k.t() / q.shape[1] ** 0.5
        if causal:
            future = torch.ones_like(scores).triu(1).bool()
            scores = scores.masked_fill(future, float("-inf"))
        ctx.save_for_backward(q, k, v)
        return torch.softmax(scores, dim=1) @ v

    @staticmethod
    def backward(ctx, grad_out):
        q, k, v = ctx.saved_tensors
        scale = q.shape[1] ** -0.5
        weights = torch.softmax(q @ k.t() * scale, dim=1)
        grad_v = weights.t() @ grad_out
        grad_weights = grad_out @ v.t()
        grad_scores = weights * (grad_weights - (grad_weights * weights).sum(dim=1, keepdim=True))
        return grad_scores @ k * scale, grad_scores.t() @ q * scale, grad_v, None


torch.manual_seed(83)
length, width = 6, 4
query, key, value = (torch.randn(length, width, requires_grad=True) for _ in range(3))
mixed = Attention.apply(query, key, value, True)
loss = (mixed[:-1] - value.detach()[1:]).pow(2).mean()
loss.backward()
print("value:", tuple(value.grad.shape))
