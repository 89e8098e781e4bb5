# A custom activation in a module that is trained for some steps.
import torch


class Mish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.tanh(torch.nn.functional.softplus(x))

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        t = torch.tanh(torch.nn.functional.softplus(x))
        return grad * (t + x * torch.sigmoid(x) * (1 - t * t))


torch.manual_seed(67)
first, second = torch.nn.Linear(2, 6), torch.nn.Linear(6, 1)
optimizer = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=0.01)
x = torch.randn(16, 2)
for _ in range(5):
    optimizer.zero_grad()
    loss = (second(Mish.apply(first(x))).squeeze(1) - x.prod(1)).square().mean()
    loss.backward()
    optimizer.step()
print(first.weight.grad.shape)
