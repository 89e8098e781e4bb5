eps = 1e-12
up, down = torch.exp(x + eps), torch.exp(x - eps)
print(f"up:        {up.item():.15f}")
print(f"down:      {down.item():.15f}")
print(f"up - down: {(up - down).item():.4e}")
print(f"true:      {2 * eps * math.e:.4e}")
