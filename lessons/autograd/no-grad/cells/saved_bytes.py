import torch


def layers(x):
    for _ in range(10):
        x = torch.tanh(x)
    return x


def count(tensor):
    global saved
    saved += tensor.nbytes
    return tensor


x = torch.rand(1000, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(count, lambda t: t):
    saved = 0
    layers(x)
    print("recorded:", saved, "bytes")
    saved = 0
    with torch.no_grad():
        layers(x)
    print("no_grad: ", saved, "bytes")
