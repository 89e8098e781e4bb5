kept = []


def pack(tensor):
    kept.append(tensor.nbytes)
    return tensor


x = torch.rand(256, 512, dtype=torch.double, requires_grad=True)
with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
    run(x, 0, 64)
print("one layer's result, MiB:", x.nbytes / 2**20)
print("saved, MiB:", sum(kept) / 2**20)
