def loss(w, x, y):
    return SoftAbs.apply(x @ w - y)


print("one sample:", grad(loss)(w, x[0], y[0]))
rows = vmap(grad(loss), in_dims=(None, 0, 0))(w, x, y)
print("all samples:", rows, sep="\n")
print("mean:", rows.mean(0))
