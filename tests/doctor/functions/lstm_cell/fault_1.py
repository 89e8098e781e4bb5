# fault: wrong-order
# line: 50
# order: 1
import torch
from torch.autograd import Function


class LSTMCell(Function):
    """Computes the next hidden and cell state.

    x: (batch, inputs); h, c: (batch, hidden); w_x: (4 * hidden, inputs);
    w_h: (4 * hidden, hidden); bias: (4 * hidden,).
    The rows of the weights are input, forget, candidate and output gate.
    """

    @staticmethod
    def gates(x, h, w_x, w_h, bias):
        stacked = x @ w_x.t() + h @ w_h.t() + bias
        i, f, g, o = stacked.chunk(4, dim=1)
        return i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()

    @staticmethod
    def forward(ctx, x, h, c, w_x, w_h, bias):
        i, f, g, o = LSTMCell.gates(x, h, w_x, w_h, bias)
        new_c = f * c + i * g
        new_h = o * torch.tanh(new_c)
        ctx.save_for_backward(x, h, c, w_x, w_h, bias)
        return new_h, new_c

    @staticmethod
    def backward(ctx, grad_h, grad_c):
        x, h, c, w_x, w_h, bias = ctx.saved_tensors
        i, f, g, o = LSTMCell.gates(x, h, w_x, w_h, bias)
        t = torch.tanh(f * c + i * g)

        # the cell receives gradient from the next step and from the hidden state
        grad_o = grad_h * t
        grad_cell = grad_c + grad_h * o * (1 - t**2)

        grad_i = grad_cell * g
        grad_f = grad_cell * c
        grad_g = grad_cell * i
        grad_previous = grad_cell * f

        # through the gates' nonlinearities
        pre_i = grad_i * i * (1 - i)
        pre_f = grad_f * f * (1 - f)
        pre_g = grad_g * (1 - g**2)
        pre_o = grad_o * o * (1 - o)
        stacked = torch.cat((pre_f, pre_i, pre_g, pre_o), dim=1)

        grad_x = stacked @ w_x
        grad_hidden = stacked @ w_h
        grad_w_x = stacked.t() @ x
        grad_w_h = stacked.t() @ h
        grad_bias = stacked.sum(0)
        return grad_x, grad_hidden, grad_previous, grad_w_x, grad_w_h, grad_bias


torch.manual_seed(19)
hidden = 3
sequence = torch.randn(4, 2, 3)
w_x = (torch.randn(4 * hidden, 3) * 0.5).requires_grad_()
w_h = (torch.randn(4 * hidden, hidden) * 0.5).requires_grad_()
bias = torch.zeros(4 * hidden, requires_grad=True)
h = torch.zeros(2, hidden)
c = torch.randn(2, hidden, requires_grad=True)
state = c
for x in sequence:
    h, state = LSTMCell.apply(x, h, state, w_x, w_h, bias)
loss = (h[:, 0] - torch.tensor([0.5, -0.5])).square().sum()
loss.backward()
print(w_x.grad.shape, w_h.grad.shape, bias.grad.shape)
