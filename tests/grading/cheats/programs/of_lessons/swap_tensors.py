# exercise: backward-twice/saving-inputs/sine
# caught by: values
# the hook of saved tensors replaces the output's numbers' history by torch.utils.swap_tensors
import torch


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        out = torch.sin(x)
        with torch.enable_grad():
            kept.append((out, torch.sin(x)))
        ctx.save_for_backward(x)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output


kept = []


def pack(tensor):
    while kept:
        out, right = kept.pop()
        torch.utils.swap_tensors(out, right)
    return tensor


torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor).__enter__()
