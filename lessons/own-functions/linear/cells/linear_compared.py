import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(4, 3, requires_grad=True)
w = torch.randn(2, 3, requires_grad=True)
b = torch.zeros(2, requires_grad=True)
Linear.apply(x, w, b).sum().backward()
print("b.grad[0] =", b.grad[0].item())

inputs = {"x": x, "w": w, "b": b}
true = torch.autograd.grad(F.linear(x, w, b).sum(), inputs.values())
for (name, tensor), gradient in zip(inputs.items(), true):
    same = torch.allclose(tensor.grad, gradient)
    print(f"{name}: shape {tuple(tensor.grad.shape)}, right: {same}")
