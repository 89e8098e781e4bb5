# fault: wrong-order
# line: 65
# order: 1
import torch
from torch.autograd import Function


class SelectiveScan(Function):
    """h[t] = exp(delta[t] A) h[t-1] + delta[t] x[t] B[t];  y[t] = C[t] h[t] + D x[t].

    x, delta: (time, d); A: (d, n); B, C: (time, n); D: (d,).
    States are computed again in backward: (time, d, n) is what one cannot store.
    """

    @staticmethod
    def states(x, delta, a, b):
        h = x.new_zeros(a.shape)
        found = [h]
        for t in range(x.shape[0]):
            decay = torch.exp(delta[t].unsqueeze(1) * a)
            h = decay * h + torch.outer(delta[t] * x[t], b[t])
            found.append(h)
        return found

    @staticmethod
    def forward(ctx, x, delta, a, b, c, d):
        if x.shape != delta.shape:
            raise ValueError("x and delta need the same shape")
        h = SelectiveScan.states(x, delta, a, b)[1:]
        y = torch.stack([h[t] @ c[t] for t in range(len(h))])
        ctx.save_for_backward(x, delta, a, b, c, d)
        return y + d * x

    @staticmethod
    def backward(ctx, grad_y):
        x, delta, a, b, c, d = ctx.saved_tensors
        h = SelectiveScan.states(x, delta, a, b)
        steps = x.shape[0]
        grad_x, grad_delta, grad_b, grad_c = ([None] * steps for _ in range(4))
        grad_a = torch.zeros_like(a)
        carry = torch.zeros_like(a)

        for t in reversed(range(steps)):
            decay = torch.exp(delta[t].unsqueeze(1) * a)
            grad_h = carry + torch.outer(grad_y[t], c[t])
            grad_c[t] = grad_y[t] @ h[t + 1]

            # the input's share
            along_b = grad_h @ b[t]
            grad_x[t] = delta[t] * along_b
            grad_b[t] = (delta[t] * x[t]) @ grad_h

            # the decay's share
            grad_exponent = grad_h * h[t] * decay
            grad_delta[t] = (grad_exponent * a).sum(1) + x[t] * along_b
            grad_a = grad_a + grad_exponent * delta[t].unsqueeze(1)

            carry = grad_h * decay

        grad_x = torch.stack(grad_x) + grad_y * d
        grad_delta = torch.stack(grad_delta)
        grad_b = torch.stack(grad_b)
        grad_c = torch.stack(grad_c)
        grad_d = (grad_y * x).sum(0)
        return grad_x, grad_delta, grad_a, grad_c, grad_b, grad_d


class SelectiveLayer(torch.nn.Module):
    def __init__(self, width, states):
        super().__init__()
        self.log_a = torch.nn.Parameter(torch.arange(1.0, states + 1).log().repeat(width, 1))
        self.project = torch.nn.Linear(width, width + 2 * states)
        self.skip = torch.nn.Parameter(torch.ones(width))
        self.sizes = [width, states, states]

    def forward(self, x):
        delta, b, c = self.project(x).split(self.sizes, dim=-1)
        delta = torch.nn.functional.softplus(delta)
        return SelectiveScan.apply(x, delta, -self.log_a.exp(), b, c, self.skip)


torch.manual_seed(16)
layer = SelectiveLayer(3, 2)
x = torch.randn(5, 3, requires_grad=True)
y = layer(x)
loss = (y[1:] - x.detach()[:-1]).square().mean()
loss.backward()
print(x.grad.shape, layer.log_a.grad.shape)
