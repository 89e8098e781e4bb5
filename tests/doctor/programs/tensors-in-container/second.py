# pitfall: tensors-in-container
# line: 12
# silent: yes
# seen: `state` is a dict of tensors, so neither position nor velocity gets a gradient; pass them as tensor arguments.
import torch


class SpringStep(torch.autograd.Function):
    """One explicit step of x'' = -k x."""

    @staticmethod
    def forward(ctx, state, stiffness, dt):
        x, v = state["position"], state["velocity"]
        ctx.save_for_backward(x, stiffness)
        ctx.dt = dt
        return x + dt * v, v - dt * stiffness * x

    @staticmethod
    def backward(ctx, grad_x, grad_v):
        x, stiffness = ctx.saved_tensors
        dt = ctx.dt
        grad_state = {"position": grad_x - dt * stiffness * grad_v, "velocity": grad_v + dt * grad_x}
        grad_stiffness = -(dt * x * grad_v).sum()
        return None, grad_stiffness, None


stiffness = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
start = torch.tensor([1.0, 0.5], dtype=torch.float64, requires_grad=True)
state = {"position": start, "velocity": torch.zeros(2, dtype=torch.float64)}

for _ in range(10):
    position, velocity = SpringStep.apply(state, stiffness, 0.1)
    state = {"position": position, "velocity": velocity}

miss = (state["position"] - 0.2).pow(2).sum()
miss.backward()
print("start:", start.grad, " stiffness:", stiffness.grad is not None)
