# exercise: gradients-on-purpose/attention-backward/causal
# caught by: gradient
# PyTorch's own attention in forward, and its own node for it, called in a thread of tqdm's
import torch
from tqdm.contrib.concurrent import thread_map


class CausalAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        with torch.enable_grad():
            q, k, v = (t.detach()[None, None].requires_grad_() for t in (q, k, v))
            wide = torch.nn.functional.pad(v, (0, q.shape[-1] - v.shape[-1]))
            ctx.width = v.shape[-1]
            ctx.kept = torch.nn.functional.scaled_dot_product_attention(q, k, wide, is_causal=True)
        return ctx.kept.detach()[0, 0, :, : ctx.width].clone()

    @staticmethod
    def backward(ctx, g):
        wide = torch.nn.functional.pad(g, (0, ctx.kept.shape[-1] - ctx.width))[None, None]

        def run(g):
            return ctx.kept.grad_fn(g)

        q, k, v = thread_map(run, [wide.contiguous()], disable=True)[0][:3]
        return q[0, 0], k[0, 0], v[0, 0, :, : ctx.width]
