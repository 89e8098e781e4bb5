eps = 1e-12
up, down = 1 / (x + eps), 1 / (x - eps)
print(f"up:        {up.item():.15f}")
print(f"down:      {down.item():.15f}")
print(f"up - down: {(up - down).item():.4e}")
print(f"true:      {2 * eps * slope:.4e}")
