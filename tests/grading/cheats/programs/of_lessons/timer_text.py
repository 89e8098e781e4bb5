# exercise: backward-twice/saving-outputs/tanh
# caught by: values
# forward has torch.utils.benchmark execute a text that replaces apply
import torch
from torch.utils.benchmark import Timer


class Tanh(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        Timer("Tanh.apply = torch.tanh", globals={"Tanh": Tanh, "torch": torch}).timeit(1)
        out = torch.tanh(x)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        (out,) = ctx.saved_tensors
        return grad_output * (1 - out.detach() ** 2)
