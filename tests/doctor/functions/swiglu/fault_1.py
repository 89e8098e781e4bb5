# fault: wrong-order
# line: 36
# order: 1
import torch


class SwiGLU(torch.autograd.Function):
    """silu(gate) * up, elementwise.

    Saves only the two projections and computes the sigmoid again, because the
    activations of a wide layer are what fills the memory.
    """

    @staticmethod
    def forward(ctx, gate, up):
        if gate.shape != up.shape:
            raise ValueError(f"{tuple(gate.shape)} and {tuple(up.shape)} differ")
        if not gate.is_floating_point():
            raise TypeError("a floating-point type is needed")
        ctx.save_for_backward(gate, up)
        activation = gate * torch.sigmoid(gate)
        return activation * up

    @staticmethod
    def backward(ctx, grad_output):
        gate, up = ctx.saved_tensors
        sig = torch.sigmoid(gate)
        silu = gate * sig
        grad_gate = None
        grad_up = None
        if ctx.needs_input_grad[0]:
            silu_prime = sig + silu * (1 - sig)
            grad_gate = grad_output * up * silu_prime
        if ctx.needs_input_grad[1]:
            grad_up = grad_output * silu
        return grad_up, grad_gate


def feed_forward(x, w_gate, w_up, w_down):
    return SwiGLU.apply(x @ w_gate, x @ w_up) @ w_down


torch.manual_seed(1)
x = torch.randn(3, 5, 8, requires_grad=True)
w_gate = (torch.randn(8, 12) * 0.3).requires_grad_()
w_up = (torch.randn(8, 12) * 0.3).requires_grad_()
w_down = (torch.randn(12, 8) * 0.3).requires_grad_()
residual = SwiGLU.apply(x @ w_gate, x @ w_up) + x @ w_gate
out = x + feed_forward(x, w_gate, w_up, w_down)
(out.square().mean() + residual.sin().mean()).backward()
print(w_gate.grad.shape, w_down.grad.shape)
