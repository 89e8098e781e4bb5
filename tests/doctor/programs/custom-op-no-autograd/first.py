# pitfall: custom-op-no-autograd
# line: 10
# silent: no
# seen: the custom operator has no formula for its gradient; give it one with `register_autograd`.
import torch
from torch import nn
from torch.library import custom_op


@custom_op("gradroom_first::swiglu", mutates_args=())
def swiglu(gate: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    return gate * torch.sigmoid(gate) * value


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.gate = nn.Linear(width, hidden)
        self.value = nn.Linear(width, hidden)
        self.out = nn.Linear(hidden, width)

    def forward(self, x):
        return self.out(swiglu(self.gate(x), self.value(x)))


torch.manual_seed(71)
layer = FeedForward(4, 8)
tokens = torch.randn(5, 4)
loss = (layer(tokens) - tokens).pow(2).mean()
loss.backward()
print(layer.gate.weight.grad)
