function = Square
w = torch.tensor(1.0, requires_grad=True)
first, second = function.apply(w), function.apply(3 * w)
third = function.apply(w)

first.backward()
with torch.no_grad():
    w -= 0.1 * w.grad  # the step of SGD, in place
for loss in (second, third):
    w.grad = None
    try:
        loss.backward()
        print("w.grad:", round(w.grad.item(), 4))
    except RuntimeError as error:
        print("RuntimeError:", error)
