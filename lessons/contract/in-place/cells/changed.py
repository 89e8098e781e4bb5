for function in (Square, SquareKept):
    w = torch.tensor(1.0, requires_grad=True)
    h = 1 * w
    y = function.apply(h)
    h.mul_(2)
    print(f"{function.__name__}:")
    try:
        y.backward()
        print("  w.grad:", w.grad.item())
    except RuntimeError as error:
        print("  RuntimeError:", error)
