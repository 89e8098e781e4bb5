hooks = torch.autograd.graph.saved_tensors_hooks
layers = {"unrolled": unrolled, "implicit": FixedPoint.apply}
for name, layer in layers.items():
    saved = {}  # each memory once
    with hooks(lambda t: saved.setdefault(t.data_ptr(), t), lambda t: t):
        z = layer(w, x, 100)
    grad_w, grad_x = torch.autograd.grad(z.sum(), (w, x))
    print(f"{name}: {len(saved)} tensors saved")
    print("  gradient for x:", [round(v, 4) for v in grad_x.tolist()])
    print("  norm for w:", round(grad_w.norm().item(), 4))
