from torch.autograd import Function


class WeightedError(Function):
    @staticmethod
    def forward(prediction, target, weight=None):
        error = (prediction - target).square()
        return error if weight is None else weight * error

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        prediction, target, weight = ctx.saved_tensors
        difference = prediction - target
        slope = 2 * difference * grad_output if weight is None else 2 * weight * difference * grad_output
        gradients = [slope, -slope, difference**2 * grad_output]
        return tuple(gradient if wanted else None for gradient, wanted in zip(gradients, ctx.needs_input_grad))
