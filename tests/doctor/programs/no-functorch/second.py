# pitfall: no-functorch
# line: 8
# silent: no
# seen: `vmap` does not know how to batch this Function; define `vmap`, or set `generate_vmap_rule = True`.
import torch


class LogNormal(torch.autograd.Function):
    """log density of a normal distribution."""

    @staticmethod
    def forward(x, mean, log_std):
        z = (x - mean) * torch.exp(-log_std)
        return -0.5 * z**2 - log_std

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        x, mean, log_std = ctx.saved_tensors
        inv = torch.exp(-log_std)
        z = (x - mean) * inv
        return -grad_output * z * inv, grad_output * z * inv, grad_output * (z**2 - 1)


def negative_log_likelihood(parameters, x):
    return -LogNormal.apply(x, parameters[0], parameters[1])


torch.manual_seed(69)
parameters = torch.zeros(2, requires_grad=True)
heights = torch.randn(10) * 2 + 1
negative_log_likelihood(parameters, heights[0]).backward()
per_sample = torch.func.vmap(torch.func.grad(negative_log_likelihood), in_dims=(None, 0))
print(per_sample(parameters.detach(), heights).shape)
