x = torch.ones(4, requires_grad=True)
weight = torch.tensor([8.0, 4.0, 2.0, 1.0])
Triple.apply(x).backward(gradient=weight)
print("the same tensor:", Triple.seen is weight)
