x = torch.tensor([0.0, 4.0], requires_grad=True)


def describe(name, y):
    (grad_x,) = torch.autograd.grad(y.sum(), x)
    print(f"{name} {y.tolist()}")
    print(f"  node: {y.grad_fn.name()}, gradient: {grad_x.tolist()}")


describe("apply:  ", Root.apply(x))
describe("forward:", Root.forward(x))
