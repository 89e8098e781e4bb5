# pitfall: create-graph-backward
# line: 27
# silent: no
# seen: this backward with `create_graph=True` leaves a reference cycle and leaks memory in each iteration; take the gradient with `torch.autograd.grad`.
import torch


class Rosenbrock(torch.autograd.Function):
    @staticmethod
    def forward(ctx, point):
        ctx.save_for_backward(point)
        x, y = point
        return (1 - x) ** 2 + 100 * (y - x * x) ** 2

    @staticmethod
    def backward(ctx, grad_output):
        (point,) = ctx.saved_tensors
        x, y = point
        dx = -2 * (1 - x) - 400 * x * (y - x * x)
        dy = 200 * (y - x * x)
        return grad_output * torch.stack([dx, dy])


def newton(point, steps):
    for _ in range(steps):
        point = point.detach().requires_grad_(True)
        Rosenbrock.apply(point).backward(create_graph=True)
        gradient = point.grad
        rows = [torch.autograd.grad(g, point, retain_graph=True)[0] for g in gradient]
        point = point - torch.linalg.solve(torch.stack(rows), gradient)
    return point.detach()


start = torch.tensor([-1.2, 1.0], dtype=torch.float64)
end = newton(start, steps=7)
print("at the minimum:", torch.allclose(end, torch.ones(2, dtype=torch.float64), atol=1e-6))
