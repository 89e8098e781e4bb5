# pitfall: backward-twice
# line: 27
# silent: no
# seen: the hidden state carries the previous step's graph, already freed, into this backward; detach it between the steps.
import torch


class TanhCell(torch.autograd.Function):
    @staticmethod
    def forward(ctx, state, word, weight):
        new = torch.tanh(state @ weight + word)
        ctx.save_for_backward(state, weight, new)
        return new

    @staticmethod
    def backward(ctx, grad_new):
        state, weight, new = ctx.saved_tensors
        inner = grad_new * (1 - new * new)
        return inner @ weight.t(), inner, state.t() @ inner


def train(words, weight, rate):
    state = torch.zeros(1, 4)
    for word in words:
        state = TanhCell.apply(state, word, weight)
        loss = (state - 0.5).pow(2).sum()
        loss.backward()
        with torch.no_grad():
            weight -= rate * weight.grad
        weight.grad = None
    return loss


torch.manual_seed(75)
weight = (torch.randn(4, 4) * 0.5).requires_grad_(True)
words = torch.randn(6, 1, 4)
print(train(words, weight, 0.1))
