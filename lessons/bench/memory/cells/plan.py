n = 100
for k in [1, 2, 5, 10, 20, 50, 100]:
    print(f"inputs: {k}, layers: {n // k}, held: {k + n // k}")
