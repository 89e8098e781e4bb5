import torch

x = torch.tensor(3.0, requires_grad=True)
y = torch.tensor(2.0, requires_grad=True)
z = torch.sqrt(x) + 1 / x + 2 * y**2
z.backward(gradient=torch.tensor(2.5))
print(f"x.grad = {x.grad:.4f}, y.grad = {y.grad:.4f}")

x = torch.tensor([3.0, 4.0], requires_grad=True)
y = 2 * x
y.backward(gradient=torch.tensor(2.5))  # two entries
print("x.grad =", x.grad.tolist())
