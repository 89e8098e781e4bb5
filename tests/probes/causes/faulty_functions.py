# ruff: noqa: RET504, F841
"""Twenty Functions with a wrong gradient each, none of which is in the corpora. `# fault: CODE` marks the wrong line.

They were written before the search for causes was.
"""

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

GENERATOR = torch.Generator().manual_seed(11)


def leaf(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=GENERATOR).requires_grad_()


def positive(*shape: int) -> Tensor:
    return (torch.rand(shape, dtype=torch.float64, generator=GENERATOR) + 0.5).requires_grad_()


class Softplus(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, beta: float = 1.0) -> Tensor:
        ctx.save_for_backward(x)
        ctx.beta = beta
        return torch.log1p(torch.exp(x * beta)) / beta

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        (x,) = ctx.saved_tensors
        slope = torch.sigmoid(x)  # fault: option-ignored-in-backward
        return grad * slope, None


class LinearLayer(Function):
    @staticmethod
    def forward(x: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return x @ weight.t() + bias

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        x, weight, _ = inputs
        ctx.save_for_backward(x, weight)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Any:
        x, weight = ctx.saved_tensors
        grad_x = grad @ weight
        grad_weight = grad.t() @ x
        grad_bias = grad[0]  # fault: missing-sum
        return grad_x, grad_weight, grad_bias


class Bilinear(Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, m: Tensor, b: Tensor) -> Tensor:
        ctx.save_for_backward(a, m, b)
        return torch.einsum("bi,ij,bj->b", a, m, b)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        a, m, b = ctx.saved_tensors
        weighted = g.unsqueeze(1) * b
        grad_a = weighted @ m  # fault: transposed-gradient
        grad_m = a.t() @ weighted
        grad_b = (g.unsqueeze(1) * a) @ m
        return grad_a, grad_m, grad_b


class Hypot(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, y: Tensor) -> Tensor:
        length = torch.sqrt(x * x + y * y)
        ctx.save_for_backward(x, y, length)
        return length

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        x, y, length = ctx.saved_tensors
        along = g / length
        return along * y, along * x  # fault: gradients-swapped


class LogSumExp(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        top = x.amax(1, keepdim=True)
        total = (x - top).exp().sum(1, keepdim=True)
        ctx.save_for_backward(x, top, total)
        return (total.log() + top).squeeze(1)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        x, top, total = ctx.saved_tensors
        shares = (x - top).exp() / total
        return shares  # fault: ignores-grad-output


class MeanSquare(Function):
    @staticmethod
    def forward(ctx: Any, prediction: Tensor, target: Tensor) -> Tensor:
        ctx.save_for_backward(prediction, target)
        return ((prediction - target) ** 2).mean()

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        prediction, target = ctx.saved_tensors
        error = prediction - target
        grad = 2 * error * g / error.shape[0]  # fault: wrong-factor
        return grad, -grad


class Softmax(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        p = torch.softmax(x, -1)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        (p,) = ctx.saved_tensors
        inner = (g * p).sum(-1, keepdim=True)
        return p * (g + inner)  # fault: wrong-sign


class GatherRows(Function):
    @staticmethod
    def forward(ctx: Any, table: Tensor, rows: Tensor) -> Tensor:
        ctx.save_for_backward(rows)
        ctx.shape = table.shape
        return table.index_select(0, rows)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        (rows,) = ctx.saved_tensors
        grad = g.new_zeros(ctx.shape)
        grad.index_copy_(0, rows, g)  # fault: accumulation-lost
        return grad, None


class ScaleShift(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
        ctx.save_for_backward(x, scale)
        return x * scale[:, None] + shift[:, None]

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        x, scale = ctx.saved_tensors
        grad_x = g * scale[:, None]
        grad_scale = (g * x).sum(dim=1)
        grad_shift = g.mean(dim=1)  # fault: mean-for-sum
        return grad_x, grad_scale, grad_shift


class ComplexProduct(Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        a, b = ctx.saved_tensors
        grad_a = g * b.conj()
        grad_b = g * a  # fault: conjugate-missing
        return grad_a, grad_b


class Recurrence(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, decay: Tensor) -> Tensor:
        states = [torch.zeros_like(x[0])]
        for step in range(len(x)):
            states.append(decay * states[-1] + x[step])
        ctx.save_for_backward(decay)
        ctx.states = states
        return torch.stack(states[1:])

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> Any:
        (decay,) = ctx.saved_tensors
        carry = torch.zeros_like(g[0])
        grad_x = torch.empty_like(g)
        grad_decay = torch.zeros_like(decay)
        for step in reversed(range(len(g))):
            carry = carry + g[step]
            grad_x[step] = carry
            grad_decay = carry * ctx.states[step]  # fault: accumulation-lost
            carry = carry * decay
        return grad_x, grad_decay


class StandardScore(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        centred = x - x.mean(0)
        deviation = centred.pow(2).mean(0).sqrt()
        ctx.save_for_backward(x)
        return centred / deviation

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        (x,) = ctx.saved_tensors
        centred = x - x.mean(0)
        deviation = centred.pow(2).mean(0).sqrt()
        z = centred / deviation
        along = (g * z).mean(0)
        return (g - z * along) / deviation  # fault: missing-term


class Gaussian(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, width: Tensor) -> Tensor:
        y = torch.exp(-(x**2) / (2 * width**2))
        ctx.save_for_backward(x, width, y)
        return y

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        x, width, y = ctx.saved_tensors
        grad_x = -g * y * x / width**2
        grad_width = (g * y * x**2 / width**2).sum()  # fault: wrong-gradient
        return grad_x, grad_width


class PairOfSums(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Any:
        ctx.save_for_backward(x)
        return x.sin().sum(0), x.cos().sum(0)

    @staticmethod
    def backward(ctx: Any, grad_sines: Tensor, grad_cosines: Tensor) -> Any:
        (x,) = ctx.saved_tensors
        from_sines = grad_sines * x.cos()
        from_cosines = grad_cosines * x.sin()
        return from_sines + from_cosines  # fault: wrong-sign


class Normalise(Function):
    @staticmethod
    def forward(ctx: Any, v: Tensor) -> Tensor:
        norm = v.norm(dim=-1, keepdim=True)
        unit = v / norm
        ctx.save_for_backward(unit, norm)
        return unit

    @staticmethod
    def project(unit: Tensor, g: Tensor) -> Tensor:
        return g - unit * (unit * g).sum()  # fault: missing-sum

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        unit, norm = ctx.saved_tensors
        return Normalise.project(unit, g) / norm


class PowerMean(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, p: int) -> Tensor:
        mean = x.pow(p).mean(-1)
        result = mean.pow(1 / p)
        ctx.save_for_backward(x, mean)
        ctx.p = p
        return result

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        x, mean = ctx.saved_tensors
        p = ctx.p
        outer = mean.pow(1 / p) / p  # fault: wrong-gradient
        inner = p * x.pow(p - 1) / x.shape[-1]
        return (g * outer).unsqueeze(-1) * inner, None


class Outer(Function):
    @staticmethod
    def forward(ctx: Any, u: Tensor, v: Tensor) -> Tensor:
        ctx.save_for_backward(u, v)
        return torch.outer(u, v)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        u, v = ctx.saved_tensors
        return g @ v, g @ u  # fault: transposed-gradient


class DividedByCount(Function):
    @staticmethod
    def forward(ctx: Any, losses: Tensor, weights: Tensor) -> Tensor:
        total = weights.sum()
        ctx.save_for_backward(losses, weights)
        return (losses * weights).sum() / total

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        losses, weights = ctx.saved_tensors
        total = weights.sum()
        average = (losses * weights).sum() / total
        grad_weights = g * losses / total  # fault: missing-term
        return g * weights / total, grad_weights


class Angle(Function):
    @staticmethod
    def forward(ctx: Any, y: Tensor, x: Tensor) -> Tensor:
        ctx.save_for_backward(y, x)
        return torch.atan2(y, x)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        y, x = ctx.saved_tensors
        squared = y.mul_(y) + x * x  # fault: saved-tensor-mutated
        return g * x / squared, -g * y / squared


class Deviation(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        n = x.numel()
        centred = x - x.mean()
        ctx.deviation = torch.sqrt((centred**2).sum() / (n - 1))
        ctx.save_for_backward(x)
        return ctx.deviation * math.sqrt(2)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        (x,) = ctx.saved_tensors
        n = x.numel()
        centred = x - x.mean()
        return g * math.sqrt(2) * centred / (n * ctx.deviation)  # fault: wrong-factor


CASES: dict[type[Function], tuple[Any, ...]] = {
    Softplus: (leaf(3, 4), 2.5),
    LinearLayer: (leaf(5, 3), leaf(4, 3), leaf(4)),
    Bilinear: (leaf(4, 3), leaf(3, 3), leaf(4, 3)),
    Hypot: (leaf(5), leaf(5)),
    LogSumExp: (leaf(4, 3),),
    MeanSquare: (leaf(4, 3), leaf(4, 3)),
    Softmax: (leaf(3, 4),),
    GatherRows: (leaf(5, 2), torch.tensor([0, 3, 3, 1])),
    ScaleShift: (leaf(3, 5), leaf(3), leaf(3)),
    ComplexProduct: (
        torch.complex(leaf(4).detach(), leaf(4).detach()).requires_grad_(),
        torch.complex(leaf(4).detach(), leaf(4).detach()).requires_grad_(),
    ),
    Recurrence: (leaf(4, 3), leaf(3)),
    StandardScore: (leaf(6, 2),),
    Gaussian: (leaf(5), positive()),
    PairOfSums: (leaf(4, 3),),
    Normalise: (leaf(3, 4),),
    PowerMean: (positive(3, 4), 3),
    Outer: (leaf(4), leaf(4)),
    DividedByCount: (leaf(6), positive(6)),
    Angle: (leaf(5), leaf(5)),
    Deviation: (leaf(7),),
}
