import jax


def y(w, x):
    return w * x * x


print(jax.grad(y, argnums=(0, 1))(3, 2))
