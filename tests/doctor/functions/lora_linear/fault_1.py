# fault: option-ignored
# line: 37
# order: 1
import torch
from torch.autograd import Function


class LoRALinear(Function):
    """y = x W^T + scaling * (x A^T) B^T.

    x: (..., d_in), W: (d_out, d_in), A: (rank, d_in), B: (d_out, rank).
    The small product x A^T is computed again in backward.
    """

    @staticmethod
    def forward(ctx, x, weight, down, up, scaling=1.0):
        ctx.save_for_backward(x, weight, down, up)
        ctx.scaling = scaling
        return x @ weight.t() + scaling * ((x @ down.t()) @ up.t())

    @staticmethod
    def backward(ctx, grad_y):
        x, weight, down, up = ctx.saved_tensors
        scaling = ctx.scaling
        need_x, need_weight, need_down, need_up, _ = ctx.needs_input_grad
        grad_x = grad_weight = grad_down = grad_up = None

        flat_x = x.reshape(-1, x.shape[-1])
        flat_grad = grad_y.reshape(-1, grad_y.shape[-1])
        through_up = flat_grad @ up
        if need_x:
            flat = flat_grad @ weight + scaling * (through_up @ down)
            grad_x = flat.view(x.shape)
        if need_weight:
            grad_weight = flat_grad.t() @ flat_x
        if need_down:
            grad_down = through_up.t() @ flat_x
        if need_up:
            grad_up = scaling * (flat_grad.t() @ (flat_x @ down.t()))
        return grad_x, grad_weight, grad_down, grad_up, None


class Adapted(torch.nn.Module):
    def __init__(self, linear, rank, alpha):
        super().__init__()
        self.linear = linear.requires_grad_(False)
        self.down = torch.nn.Parameter(torch.randn(rank, linear.in_features) * 0.3)
        self.up = torch.nn.Parameter(torch.randn(linear.out_features, rank) * 0.3)
        self.scaling = alpha / rank

    def forward(self, x):
        return LoRALinear.apply(x, self.linear.weight, self.down, self.up, self.scaling)


torch.manual_seed(23)
model = torch.nn.Sequential(
    Adapted(torch.nn.Linear(6, 5), 2, 8), torch.nn.Tanh(), Adapted(torch.nn.Linear(5, 3), 2, 8)
)
x = torch.randn(4, 7, 6)
model(x).square().mean().backward()
print(len([p for p in model.parameters() if p.requires_grad]))
