# pitfall: custom-op-no-autograd
# line: 8
# silent: no
# seen: `setup_context` and `backward` are written and never registered, so the operator has no gradient; call `winsorise.register_autograd`.
import torch


@torch.library.custom_op("gradroom_second::winsorise", mutates_args=())
def winsorise(x: torch.Tensor, limit: float) -> torch.Tensor:
    return x.clamp(-limit, limit)


@winsorise.register_fake
def _(x, limit):
    return torch.empty_like(x)


def setup_context(ctx, inputs, output):
    x, limit = inputs
    ctx.save_for_backward(x)
    ctx.limit = limit


def backward(ctx, grad_output):
    (x,) = ctx.saved_tensors
    return grad_output * (x.abs() <= ctx.limit), None


torch.manual_seed(72)
salaries = torch.randn(25)
centre = torch.zeros((), requires_grad=True)
for _ in range(5):
    loss = winsorise(salaries - centre, 1.5).pow(2).mean()
    loss.backward()
    with torch.no_grad():
        centre -= 0.2 * centre.grad
    centre.grad = None
print(centre.item())
