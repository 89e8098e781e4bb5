# tries: a graph that Graphviz would lay out for hours
# outcome: finished
# runtimes: torch
# says: only graphs of at most
# twin: none: it would take hours
import torch
from torchviz import make_dot

x = torch.ones(1, requires_grad=True)
make_dot(torch.cat([x * 2 for _ in range(5_000)]))
