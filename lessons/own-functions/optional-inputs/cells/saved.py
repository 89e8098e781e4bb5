data = torch.ones(4, 3)
w = torch.ones(2, 3, requires_grad=True)
b = torch.zeros(2, requires_grad=True)

kept = Wanted.apply(data, w, b).grad_fn.saved_tensors
for name, tensor in zip(("x", "w", "b"), kept):
    print(f"{name}:", None if tensor is None else tuple(tensor.shape))
print("kept:", sum(tensor is not None for tensor in kept))
