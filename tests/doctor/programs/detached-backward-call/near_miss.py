# near miss of: detached-backward-call
# silent: yes
# seen: nothing: what is detached is the target and the number printed, not the loss.
import torch
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output


torch.manual_seed(78)
weights = torch.randn(3, dtype=torch.float64, requires_grad=True)
weather = torch.randn(14, 3, dtype=torch.float64)
history = []
for day in range(3):
    prediction = weather @ weights
    target = torch.tanh(weather[:, 0]).detach()
    loss = Square.apply(prediction - target).mean()
    history.append(loss.detach())
    loss.backward()
    weights.grad = None
print(len(history))
