# near miss of: custom-op-no-autograd
# silent: yes
# seen: nothing: the operator's gradient is registered.
import torch


@torch.library.custom_op("gradroom_near::winsorise", mutates_args=())
def winsorise(x: torch.Tensor, limit: float) -> torch.Tensor:
    return x.clamp(-limit, limit)


def setup_context(ctx, inputs, output):
    x, limit = inputs
    ctx.save_for_backward(x)
    ctx.limit = limit


def backward(ctx, grad_output):
    (x,) = ctx.saved_tensors
    return grad_output * (x.abs() <= ctx.limit), None


winsorise.register_autograd(backward, setup_context=setup_context)

torch.manual_seed(72)
salaries = torch.randn(25, dtype=torch.float64)
centre = torch.zeros((), dtype=torch.float64, requires_grad=True)
loss = winsorise(salaries - centre, 1.5).pow(2).mean()
loss.backward()
print(centre.grad is not None)
