z = FixedPoint.apply(w, x, 3)
again = torch.tanh(w @ z + x)
print(f"z: {z[0]:.4f}, tanh(w @ z + x): {again[0]:.4f}")
layers = {"unrolled": unrolled, "implicit": FixedPoint.apply}
for name, layer in layers.items():
    (grad_x,) = torch.autograd.grad(layer(w, x, 3).sum(), x)
    print(f"{name}:", [round(v, 4) for v in grad_x.tolist()])
torch.autograd.gradcheck(FixedPoint.apply, (w, x, 3))
