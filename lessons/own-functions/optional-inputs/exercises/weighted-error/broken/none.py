import torch


class WeightedError(torch.autograd.Function):
    @staticmethod
    def forward(ctx, prediction, target, weight=None):
        ctx.save_for_backward(prediction, target, weight)
        error = (prediction - target) ** 2
        return error if weight is None else weight * error

    @staticmethod
    def backward(ctx, grad_output):
        prediction, target, weight = ctx.saved_tensors
        grad_prediction = grad_target = grad_weight = None
        difference = prediction - target
        slope = 2 * difference * grad_output
        if weight is not None:
            slope = weight * slope
        if ctx.needs_input_grad[0]:
            grad_prediction = slope
        if ctx.needs_input_grad[1]:
            grad_target = -slope
        if weight is not None and ctx.needs_input_grad[2]:
            grad_weight = difference**2 * grad_output
        if weight is None:
            return grad_prediction, grad_target
        return grad_prediction, grad_target, grad_weight
