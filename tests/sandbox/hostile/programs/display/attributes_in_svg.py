# tries: to break out of an attribute of the picture
# outcome: finished
# runtimes: torch
# mark: '="a" onload="'
# where: pictures
import torch
from torchviz import make_dot

x = torch.ones(2, requires_grad=True)
graph = make_dot(x * 2, params={"a\" onload=\"alert(1)' onclick='alert(2)": x})
print(graph.source.replace('\\"', '"'))
graph
