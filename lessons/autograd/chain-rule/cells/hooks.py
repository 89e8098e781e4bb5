import torch

passed = {}


def watch(node):
    name = type(node).__name__

    def hook(sent, incoming):  # runs after the node
        passed[name] = [g.item() for g in sent if g is not None]
        print(f"{name:14} incoming {incoming[0]:g}, ", end="")
        print("sends", passed[name])

    node.register_hook(hook)


x = torch.tensor(3.0, requires_grad=True)
a = x + 2
out = x * a

watch(out.grad_fn)
watch(a.grad_fn)
watch(a.grad_fn.next_functions[0][0])  # of x
out.backward()
print("x.grad =", x.grad.item())
