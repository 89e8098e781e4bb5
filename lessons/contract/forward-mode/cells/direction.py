from torch.func import jvp

x = torch.tensor([1, 2, 3], dtype=torch.double)
v = torch.tensor([1, 0, 0], dtype=torch.double)
out, tangent = jvp(RunningSquares.apply, (x,), (v,))
print("out:", out)
print("tangent:", tangent)
print("speed of the last entry:", tangent[-1].item())
