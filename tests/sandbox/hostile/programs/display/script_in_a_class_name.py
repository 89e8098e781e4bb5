# tries: a script in the name of a function of autograd
# outcome: finished
# runtimes: torch
# mark: "<script"
# where: pictures
import torch
from torchviz import make_dot

Evil = type("<script>alert(1)</script>", (torch.autograd.Function,), {
    "forward": staticmethod(lambda ctx, x: x * 2),
    "backward": staticmethod(lambda ctx, grad: grad * 2),
})
x = torch.ones(2, requires_grad=True)
graph = make_dot(Evil.apply(x), params={"x": x})
print(graph.source)
graph
