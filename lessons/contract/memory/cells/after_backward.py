x = torch.tensor([0.5, 2], requires_grad=True)
out = Decay.apply(x)
out.sum().backward()
print("x.grad:", x.grad)
node = out.grad_fn
print("attribute:", node.e)
print("saved:", node.saved_tensors)
