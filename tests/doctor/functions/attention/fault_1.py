# fault: wrong-order
# line: 75
# order: 1
import torch
from torch.autograd import Function


class SelfAttention(Function):
    """Projects, attends and projects back.

    x: (batch, time, width); w_qkv: (width, 3 * width); w_out: (width, width).
    Attention matrices grow with time squared, so backward computes them again.
    """

    @staticmethod
    def split(x, heads):
        """(batch, time, width) to (batch, heads, time, width / heads)."""
        batch, time, width = x.shape
        return x.view(batch, time, heads, width // heads).transpose(1, 2)

    @staticmethod
    def merge(x):
        batch, heads, time, size = x.shape
        return x.transpose(1, 2).reshape(batch, time, heads * size)

    @staticmethod
    def probabilities(q, k, scale, causal):
        scores = torch.matmul(q, k.transpose(-2, -1)) * scale
        if causal:
            t = scores.shape[-1]
            future = torch.ones(t, t, dtype=torch.bool).triu(1)
            scores = scores.masked_fill(future, float("-inf"))
        return torch.softmax(scores, dim=-1)

    @staticmethod
    def forward(ctx, x, w_qkv, w_out, heads, scale=None, causal=False):
        if scale is None:
            scale = (x.shape[-1] // heads) ** -0.5
        q, k, v = (SelfAttention.split(part, heads) for part in (x @ w_qkv).chunk(3, -1))
        probs = SelfAttention.probabilities(q, k, scale, causal)
        mixed = SelfAttention.merge(probs @ v)
        ctx.save_for_backward(x, w_qkv, w_out)
        ctx.heads = heads
        ctx.scale = scale
        ctx.causal = causal
        return mixed @ w_out

    @staticmethod
    def backward(ctx, grad_out):
        x, w_qkv, w_out = ctx.saved_tensors
        heads = ctx.heads
        width = x.shape[-1]
        q, k, v = (SelfAttention.split(part, heads) for part in (x @ w_qkv).chunk(3, -1))
        scale = ctx.scale
        probs = SelfAttention.probabilities(q, k, scale, ctx.causal)
        mixed = SelfAttention.merge(probs @ v)

        # output projection
        flat_grad = grad_out.reshape(-1, width)
        grad_w_out = mixed.reshape(-1, width).t() @ flat_grad
        grad_mixed = SelfAttention.split(grad_out @ w_out.t(), heads)

        # values and probabilities
        grad_v = probs.transpose(-2, -1) @ grad_mixed
        grad_probs = grad_mixed @ v.transpose(-2, -1)

        # the softmax's Jacobian applied row by row
        row = (grad_probs * probs).sum(dim=-1, keepdim=True)
        grad_scores = probs * (grad_probs - row)

        grad_q = grad_scores @ k * scale
        grad_k = grad_scores.transpose(-2, -1) @ q * scale

        # input projection
        parts = [SelfAttention.merge(g) for g in (grad_k, grad_q, grad_v)]
        grad_qkv = torch.cat(parts, dim=-1)
        grad_w_qkv = x.reshape(-1, width).t() @ grad_qkv.reshape(-1, 3 * width)
        grad_x = grad_qkv @ w_qkv.t()
        return grad_x, grad_w_qkv, grad_w_out, None, None, None


torch.manual_seed(6)
x = torch.randn(2, 5, 4, requires_grad=True)
w_qkv = (torch.randn(4, 12) * 0.7).requires_grad_()
w_out = (torch.randn(4, 4) * 0.7).requires_grad_()
y = SelfAttention.apply(x, w_qkv, w_out, 2, 0.9, True)
loss = (y - x.detach()).square().sum(-1).mean()
loss.backward()
print([tuple(w.grad.shape) for w in (w_qkv, w_out)])
