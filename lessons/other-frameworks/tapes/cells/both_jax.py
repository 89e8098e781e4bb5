import jax


def y(w, x):
    return w * x * x


grads = jax.grad(y, argnums=(0, 1))(3.0, 2.0)
print("w:", grads[0])
print("x:", grads[1])
