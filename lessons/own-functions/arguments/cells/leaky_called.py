x = torch.tensor([-2.0, 3.0], dtype=torch.double, requires_grad=True)


def gradient(y):
    return torch.autograd.grad(y.sum(), x)[0].tolist()


print("left out:   ", gradient(LeakyReLU.apply(x)))
print("by position:", gradient(LeakyReLU.apply(x, 0.05)))
print("by keyword: ", gradient(LeakyReLU.apply(x, slope=0.05)))
