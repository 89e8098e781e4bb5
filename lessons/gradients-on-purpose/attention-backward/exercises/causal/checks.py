import math

import torch
from gradroom import Subject, check, draw, mistake, out_of_memory, reported


def inputs(n, width=3, size=1.0):
    q, k = (draw.tensor((n, width), low=-2.0 * size, high=2.0 * size) for _ in range(2))
    return [q, k, draw.tensor((n, 2))]


class InRows(torch.autograd.Function):
    """The same in groups of rows: the grader's memory is limited, too, and blocks of this size are reused well."""

    @staticmethod
    def weights(q, k, start):
        rows = torch.arange(start, min(start + 64, len(q)))[:, None]
        s = q[start : start + 64] @ k.T / math.sqrt(q.shape[1])
        return torch.softmax(s.masked_fill(torch.arange(len(k)) > rows, -math.inf), 1)

    @staticmethod
    def forward(ctx, q, k, v):
        ctx.save_for_backward(q, k, v)
        return torch.cat([InRows.weights(q, k, start) @ v for start in range(0, len(q), 64)])

    @staticmethod
    def backward(ctx, g):
        q, k, v = ctx.saved_tensors
        grad_q, grad_k, grad_v = [], torch.zeros_like(k), torch.zeros_like(v)
        for start in range(0, len(q), 64):
            rows = slice(start, start + 64)
            p = InRows.weights(q, k, start)
            grad_p = g[rows] @ v.T
            grad_s = p * (grad_p - (p * grad_p).sum(1, keepdim=True)) / math.sqrt(q.shape[1])
            grad_q.append(grad_s @ k)
            grad_k += grad_s.T @ q[rows]
            grad_v += p.T @ g[rows]
        return torch.cat(grad_q), grad_k, grad_v


small = Subject("CausalAttention", lambda: inputs(draw.whole(4, 5)))
large = Subject("CausalAttention", lambda: inputs(5, size=20.0))
huge = Subject("CausalAttention", lambda: inputs(6, size=60.0))  # exp of a later score is infinite
low = Subject("CausalAttention", lambda: [draw.tensor((4, 3), low=110.0, high=150.0), draw.tensor((4, 3), low=-150.0, high=-110.0), draw.tensor((4, 2))])
hundreds = Subject("CausalAttention", lambda: inputs(330, width=4))
thousands = Subject("CausalAttention", lambda: inputs(4300, width=4), like=InRows.apply)


@check
def values():
    small.values()
    large.values()


@check
def gradient():
    small.gradients()
    small.gradcheck()


@check
def edges():
    small.edges()
    for _ in range(2):
        huge.gradients()
        low.gradients()  # all scores are below -10,000


@check
def calls():
    small.interleaved()
    small.untouched()


@check
def middle():
    hundreds.values(1)
    hundreds.gradients()


@check(reported=True)
def kept():
    reported.saved(hundreds)


@check
def long():
    thousands.gradients()


def like(row_sum, masked):
    def backward(g, q, k, v):
        scale = 1 / math.sqrt(q.shape[1])
        later = torch.ones(len(q), len(k), dtype=torch.bool).triu(1)
        s = q @ k.T * scale
        seen = s.masked_fill(later, -math.inf)
        p = torch.softmax(seen, 1)
        out = p @ v
        if not masked:
            p = torch.exp(s - seen.logsumexp(1, keepdim=True))
        d = (g * out).sum(1, keepdim=True) if row_sum else 0
        grad_s = p * (g @ v.T - d) * scale
        return grad_s @ k, grad_s.T @ q, p.T @ g

    return small.behaves_like(backward=backward)


@mistake
def keeps_the_matrix():
    return out_of_memory()


@mistake
def no_row_sum():
    return like(row_sum=False, masked=True)


@mistake
def unmasked_again():
    return like(row_sum=True, masked=False)
