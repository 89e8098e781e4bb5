from torch.func import jvp, vjp

x = torch.tensor([1, 2, 3], dtype=torch.double)
u = torch.tensor([1, -1, 2], dtype=torch.double)
v = torch.tensor([0, 1, 3], dtype=torch.double)
for function in (RunningSquares, RunningWrong):
    _, pushed = jvp(function.apply, (x,), (v,))
    _, pull = vjp(function.apply, x)
    (pulled,) = pull(u)
    print(function.__name__)
    print("  u · Jv: ", (u @ pushed).item())
    print("  Jᵀu · v:", (pulled @ v).item())
