logits = torch.tensor([[0.0, 95.0, 1.0]], requires_grad=True)
target = torch.tensor([0])  # the model is sure of class 1
for name, f in (("composed", composed), ("fused", CrossEntropy.apply)):
    loss = f(logits, target)
    (grad,) = torch.autograd.grad(loss.sum(), logits)
    two = grad[0, :2].tolist()
    print(f"{name}: loss {loss.item():.2f}, gradient {two}")
