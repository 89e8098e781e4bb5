torch.set_printoptions(precision=4, sci_mode=False)
logits = torch.tensor([[1.0, 2.0, 4.0]], requires_grad=True)
target = torch.tensor([1])
print("softmax: ", torch.softmax(logits, 1).detach())
print("one-hot: ", F.one_hot(target, 3).float())
for name, f in (("fused", CrossEntropy.apply), ("composed", composed)):
    (grad,) = torch.autograd.grad(f(logits, target).sum(), logits)
    print(f"{name + ':':<9}", grad)
