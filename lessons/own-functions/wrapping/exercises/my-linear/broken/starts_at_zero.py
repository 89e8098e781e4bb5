import torch
from torch import nn


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        out = x @ weight.T
        return out if bias is None else out + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        g_bias = g.sum(0) if ctx.needs_input_grad[2] else None
        return g @ weight, g.T @ x, g_bias


class MyLinear(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super().__init__()
        shape = out_features, in_features
        self.weight = nn.Parameter(torch.empty(shape))
        if bias:
            self.bias = nn.Parameter(torch.empty(out_features))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = self.weight.shape[1] ** -0.5
        nn.init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            nn.init.uniform_(self.bias, -bound, bound)

    def forward(self, x):
        return LinearFunction.apply(x, self.weight, self.bias)


layer = MyLinear(3, 2)
bare = MyLinear(3, 2, bias=False)
wide = MyLinear(100, 50)


def run(x, weight, bias=None):
    """A new layer, computing with these numbers in place of its own."""
    own = MyLinear(weight.shape[1], weight.shape[0], bias is not None)
    given = {"weight": weight}
    if bias is not None:
        given["bias"] = bias
    return torch.func.functional_call(own, given, (x,))


def calls_function(x):
    """Whether the graph of `layer(x)` has a node of LinearFunction."""
    left = [layer(x).grad_fn]
    while left:
        node = left.pop()
        if node is not None and node.name() == "LinearFunctionBackward":
            return torch.tensor(True)
        left += [parent for parent, _ in node.next_functions] if node else []
    return torch.tensor(False)
