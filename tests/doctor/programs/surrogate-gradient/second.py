# pitfall: surrogate-gradient
# line: 19
# silent: yes
# seen: the spike is a step with slope zero and backward returns a fast sigmoid's slope: a surrogate gradient, not the derivative of forward.
import torch


class Spike(torch.autograd.Function):
    @staticmethod
    def forward(ctx, potential, threshold):
        ctx.save_for_backward(potential)
        ctx.threshold = threshold
        return (potential > threshold).to(potential.dtype)

    @staticmethod
    def backward(ctx, grad_spike):
        (potential,) = ctx.saved_tensors
        slope = 1 / (1 + 10 * (potential - ctx.threshold).abs()) ** 2
        return grad_spike * slope, None


def simulate(current, decay=0.9, steps=12):
    voltage = torch.zeros_like(current)
    count = torch.zeros_like(current)
    for _ in range(steps):
        voltage = decay * voltage + current
        fired = Spike.apply(voltage, 1.0)
        voltage = voltage - fired
        count = count + fired
    return count


torch.manual_seed(36)
drive = torch.rand(5, requires_grad=True)
wanted = torch.tensor([1.0, 2, 3, 4, 5])
loss = (simulate(drive) - wanted).pow(2).mean()
loss.backward()
print("every neuron learns:", bool((drive.grad != 0).any()))
