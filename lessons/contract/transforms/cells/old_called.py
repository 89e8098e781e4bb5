r = torch.tensor(2.0, requires_grad=True)
out = SoftAbsOld.apply(r)
print("autograd:", torch.autograd.grad(out, r))
print("torch.func:", grad(SoftAbsOld.apply)(r))
