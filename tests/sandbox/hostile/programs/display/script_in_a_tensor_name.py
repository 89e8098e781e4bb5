# tries: a script in the name of a tensor
# outcome: finished
# runtimes: torch
# mark: "<script"
# where: pictures
import torch
from torchviz import make_dot

x = torch.ones(2, requires_grad=True)
graph = make_dot(x * 2, params={"<script>alert(1)</script>": x})
print(graph.source)
graph
