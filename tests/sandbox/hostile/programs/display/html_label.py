# tries: a label that Graphviz reads as HTML
# outcome: finished
# runtimes: torch
# mark: "<IMG"
# where: pictures
import torch
from torchviz import make_dot

x = torch.ones(2, requires_grad=True)
graph = make_dot(x * 2, params={'<<TABLE><TR><TD><IMG SRC="/etc/passwd"/></TD></TR></TABLE>>': x})
print(graph.source)
graph
