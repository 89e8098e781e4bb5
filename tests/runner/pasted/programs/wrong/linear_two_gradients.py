import torch
from torch.autograd import Function, gradcheck


class LinearFunction(Function):
    @staticmethod
    def forward(ctx, input, weight, bias=None):
        ctx.save_for_backward(input, weight, bias)
        output = input.mm(weight.t())
        if bias is not None:
            output += bias.unsqueeze(0).expand_as(output)
        return output

    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        grad_input = grad_output.mm(weight)
        grad_weight = grad_output.t().mm(input)
        if bias is not None:
            return grad_input, grad_weight, grad_output.sum(0)
        return grad_input, grad_weight


if __name__ == "__main__":
    x = torch.randn(4, 3, dtype=torch.double, requires_grad=True)
    w = torch.randn(2, 3, dtype=torch.double, requires_grad=True)
    print(gradcheck(LinearFunction.apply, (x, w, None)))
