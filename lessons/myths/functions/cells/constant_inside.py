from torch.func import grad

one = torch.tensor(1.0, dtype=torch.double)
x = torch.tensor(2.0, dtype=torch.double, requires_grad=True)
(x * Softplus.apply(one)).backward()
print(f"autograd:   {x.grad.item():.4f}")
slope = grad(lambda x: x * Softplus.apply(one))(x.detach())
print(f"torch.func: {slope.item():.4f}")
