import torch
from torch.autograd import Function
from torch.autograd import gradcheck


class LinearFunction(Function):
    @staticmethod
    # ctx is the first argument of setup_context only
    def forward(input, weight, bias):
        output = input.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output

    @staticmethod
    # inputs is a tuple of all that was passed to forward, output what it returned
    def setup_context(ctx, inputs, output):
        input, weight, bias = inputs
        ctx.save_for_backward(input, weight, bias)

    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        grad_input = grad_weight = grad_bias = None
        if ctx.needs_input_grad[0]:
            grad_input = grad_output.mm(weight)
        if ctx.needs_input_grad[1]:
            grad_weight = grad_output.t().mm(input)
        if bias is not None and ctx.needs_input_grad[2]:
            grad_bias = grad_output.sum(0)
        return grad_input, grad_weight, grad_bias


def linear(input, weight, bias=None):
    # apply knows neither defaults nor names of arguments, so wrap it
    return LinearFunction.apply(input, weight, bias)


x = torch.randn(2, 3, dtype=torch.double, requires_grad=True)
w = torch.randn(4, 3, dtype=torch.double, requires_grad=True)
b = torch.randn(4, dtype=torch.double, requires_grad=True)
print(gradcheck(linear, (x, w)))
print(gradcheck(linear, (x, w, b)))
