import math

import torch

TILE = 100


def tile_scores(q, k, start):
    columns = torch.arange(start, min(start + TILE, len(k)))
    later = columns > torch.arange(len(q))[:, None]
    scores = q @ k[start : start + TILE].T / math.sqrt(q.shape[1])
    return scores.masked_fill(later, -math.inf)


class CausalAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        top = q.new_full((len(q), 1), -math.inf)
        total = q.new_zeros(len(q), 1)
        out = q.new_zeros(len(q), v.shape[1])
        for start in range(0, max(len(k) - TILE + 1, 1), TILE):
            s = tile_scores(q, k, start)
            new_top = torch.maximum(top, s.amax(1, keepdim=True))
            factor = torch.exp(top - new_top)
            e = torch.exp(s - new_top)
            total = total * factor + e.sum(1, keepdim=True)
            out = out * factor + e @ v[start : start + TILE]
            top = new_top
        out = out / total
        ctx.save_for_backward(q, k, v, out, top + torch.log(total))
        return out

    @staticmethod
    def backward(ctx, g):
        q, k, v, out, log_sum = ctx.saved_tensors
        scale = 1 / math.sqrt(q.shape[1])
        d = (g * out).sum(1, keepdim=True)
        grad_q = torch.zeros_like(q)
        grad_k = []
        grad_v = []
        for start in range(0, max(len(k) - TILE + 1, 1), TILE):
            p = torch.exp(tile_scores(q, k, start) - log_sum)
            grad_s = p * (g @ v[start : start + TILE].T - d)
            grad_q = grad_q + grad_s @ k[start : start + TILE] * scale
            grad_k.append(grad_s.T @ q * scale)
            grad_v.append(p.T @ g)
        rest = len(k) - sum(len(g) for g in grad_k)
        grad_k.append(k.new_zeros(rest, k.shape[1]))
        grad_v.append(v.new_zeros(rest, v.shape[1]))
        return grad_q, torch.cat(grad_k), torch.cat(grad_v)
