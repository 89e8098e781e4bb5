def kept(f, n, d=32):
    q, k, v = (torch.randn(n, d, requires_grad=True) for _ in range(3))
    tensors = {}

    def note(tensor):
        tensors[tensor.data_ptr()] = tensor  # each memory once
        return tensor

    hooks = torch.autograd.graph.saved_tensors_hooks
    with hooks(note, lambda tensor: tensor):
        out = f(q, k, v)
    found = tensors.values()
    square = sum(t.nbytes for t in found if t.shape == (n, n))
    return square / 1e6, sum(t.nbytes for t in found) / 1e6


for n in (500, 1000, 2000):
    square, total = kept(attention, n)
    rest = total - square
    print(f"n = {n}: n × n {square:.1f} MB, rest {rest:.2f} MB")
