# tries: Graphviz's own attributes in a name: a link, a picture
# outcome: finished
# runtimes: torch
# mark: "javascript:"
# where: pictures
import torch
from torchviz import make_dot

x = torch.ones(2, requires_grad=True)
graph = make_dot(x * 2, params={'x"]; evil [URL="javascript&#58;alert(1)", image="/etc/passwd", shapefile="/etc/passwd"]; n ["': x})
print(graph.source, "javascript:"[: 11 * ("URL" in graph.source)])
graph
