# tries: graphs for ever
# outcome: output_limit, timed_out
# runtimes: torch
# deadline: 5
# twin: endless
import torch
from torchviz import make_dot

x = torch.ones(2, requires_grad=True)
while True:
    make_dot(x * 2)
