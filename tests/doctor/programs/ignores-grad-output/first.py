# pitfall: ignores-grad-output
# line: 19
# silent: yes
# seen: backward returns the local derivative without multiplying it by `grad_output`.
import torch
from torch.autograd import Function


class SquaredDistance(Function):
    @staticmethod
    def forward(ctx, point, centre):
        ctx.save_for_backward(point, centre)
        return ((point - centre) ** 2).sum(dim=-1)

    @staticmethod
    def backward(ctx, grad_output):
        point, centre = ctx.saved_tensors
        difference = point - centre
        return 2 * difference, -2 * difference.sum(dim=0)


torch.manual_seed(49)
houses = torch.randn(15, 2)
school = torch.zeros(2, requires_grad=True)
population = torch.randint(1, 9, (15,)).float()
for _ in range(10):
    cost = (population * SquaredDistance.apply(houses, school)).sum() / population.sum()
    cost.backward()
    with torch.no_grad():
        school -= 0.01 * school.grad
    school.grad = None
print("school moved:", bool(school.norm() > 0))
