# All distances between two sets of points, with a smooth root.
import torch
from torch.autograd import Function


class PairwiseDistance(Function):
    """d[i, j] = sqrt(|x_i - y_j|^2 + eps), for x (n, d) and y (m, d).

    The distances are an output, so saving them costs nothing.
    """

    @staticmethod
    def squared(x, y):
        x_norm = x.square().sum(1, keepdim=True)
        y_norm = y.square().sum(1, keepdim=True)
        return (x_norm + y_norm.t() - 2 * x @ y.t()).clamp(min=0)

    @staticmethod
    def forward(ctx, x, y, eps):
        distance = torch.sqrt(PairwiseDistance.squared(x, y) + eps)
        ctx.save_for_backward(x, y, distance)
        return distance

    @staticmethod
    def backward(ctx, grad_distance):
        x, y, distance = ctx.saved_tensors
        grad_x = grad_y = None

        # d distance[i, j] / d x_i = (x_i - y_j) / distance[i, j]
        ratio = grad_distance / distance
        if ctx.needs_input_grad[0]:
            row = ratio.sum(1, keepdim=True)
            grad_x = row * x - ratio @ y
        if ctx.needs_input_grad[1]:
            column = ratio.sum(0).unsqueeze(1)
            grad_y = column * y - ratio.t() @ x
        return grad_x, grad_y, None


def stress(layout, target):
    """Multidimensional scaling: how far distances are from those wanted."""
    distance = PairwiseDistance.apply(layout, layout, 1e-2)
    return ((distance - target) ** 2).triu(1).sum()


torch.manual_seed(29)
anchors = torch.randn(4, 2, dtype=torch.float64, requires_grad=True)
layout = torch.randn(6, 2, dtype=torch.float64, requires_grad=True)
target = torch.rand(6, 6, dtype=torch.float64) + 0.5
nearest = torch.logsumexp(-PairwiseDistance.apply(layout, anchors, 1e-2), 1)
(stress(layout, target) - nearest.mean()).backward()
print(layout.grad.shape, anchors.grad.shape)
