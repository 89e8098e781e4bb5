x = torch.tensor([-1.0, 2.0, 3.0], requires_grad=True)
weight = torch.tensor([10.0, 20.0, 30.0])

out = ReLU.apply(x)
print("after apply: requires_grad =", out.requires_grad)
loss = (weight * out).sum()
print("before loss.backward()")
loss.backward()
print("x.grad =", x.grad.tolist())
