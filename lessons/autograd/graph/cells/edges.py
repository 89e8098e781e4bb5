def name(node):
    return type(node).__name__


node = out.grad_fn
while node.next_functions:
    inputs = [n for n, _ in node.next_functions]  # pairs
    print(name(node), "->", [name(n) for n in inputs])
    node = inputs[0]

out.backward()
print("x.grad =", x.grad.tolist())
