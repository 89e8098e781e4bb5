x = torch.tensor([1.0, 2, 3], requires_grad=True)
out, mean = Centre.apply(x)
(mean**2).backward()
print("Centre, mean:", x.grad)

x = torch.tensor([1.0, 2, 3], requires_grad=True)
out, mean = CentreMarked.apply(x)
out[0].backward()
print("CentreMarked, out[0]:", x.grad)
try:
    (mean**2).backward()
except RuntimeError as error:
    print("CentreMarked, mean:", error)
