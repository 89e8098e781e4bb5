import math

import torch


def pieces(n, size=250):
    return [slice(i, min(i + size, n)) for i in range(0, n, size)]


def scores(q, k, rows, columns):
    s = q[rows] @ k[columns].T / math.sqrt(q.shape[1])
    i = torch.arange(rows.start, rows.stop)
    j = torch.arange(columns.start, columns.stop)
    return torch.where(j > i[:, None], -math.inf, s)


class CausalAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v):
        outs, logs = [], []
        for rows in pieces(len(q)):
            out, log = 0, None
            for columns in pieces(rows.stop):  # later keys do not count
                s = scores(q, k, rows, columns)
                tile_log = s.logsumexp(1, keepdim=True)
                new = tile_log if log is None else torch.logaddexp(log, tile_log)
                old = 0 if log is None else torch.exp(log - new)
                out = out * old + torch.exp(s - new) @ v[columns]
                log = new
            outs.append(out)
            logs.append(log)
        out, log = torch.cat(outs), torch.cat(logs)
        ctx.save_for_backward(q, k, v, out, log)
        return out

    @staticmethod
    def backward(ctx, g):
        q, k, v, out, log = ctx.saved_tensors
        scale = q.shape[1] ** -0.5
        d = torch.einsum("ic,ic->i", g, out)[:, None]
        dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
        for rows in pieces(len(q)):
            for columns in pieces(rows.stop):
                p = torch.exp(scores(q, k, rows, columns) - log[rows])
                ds = p * (g[rows] @ v[columns].T - d[rows]) * scale
                dq[rows] += ds @ k[columns]
                dk[columns] += ds.T @ q[rows]
                dv[columns] += p.T @ g[rows]
        return dq, dk, dv
