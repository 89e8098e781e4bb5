class TiledAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, tile):
        out, log_sum = tiled(q, k, v, tile)
        ctx.save_for_backward(q, k, v, out, log_sum)
        ctx.tile = tile
        return out

    @staticmethod
    def backward(ctx, g):
        q, k, v, out, log_sum = ctx.saved_tensors
        scale = 1 / math.sqrt(q.shape[1])
        d = (g * out).sum(1, keepdim=True)
        grad_q, grad_k, grad_v = torch.zeros_like(q), [], []
        for k_tile, v_tile in zip(k.split(ctx.tile), v.split(ctx.tile)):
            s = q @ k_tile.T * scale
            p = torch.exp(s - log_sum)  # recomputed, not kept
            grad_s = p * (g @ v_tile.T - d)
            grad_q = grad_q + grad_s @ k_tile * scale
            grad_k.append(grad_s.T @ q * scale)
            grad_v.append(p.T @ g)
        return grad_q, torch.cat(grad_k), torch.cat(grad_v), None
