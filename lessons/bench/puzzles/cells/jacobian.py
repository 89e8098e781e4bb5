jacobian = torch.autograd.functional.jacobian(torch.diff, x.detach())
print(jacobian)
print("g @ jacobian:", (g @ jacobian).tolist())
