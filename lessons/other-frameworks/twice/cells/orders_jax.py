import jax
import jax.numpy as jnp


@jax.custom_vjp
def sinh_bad(x):
    return (jnp.exp(x) - jnp.exp(-x)) / 2


def fwd(x):
    up, down = jnp.exp(x), jnp.exp(-x)
    return sinh_bad(x), (up, down)


def bwd(residuals, g):
    up, down = residuals
    return (g * (up + down) / 2,)


sinh_bad.defvjp(fwd, bwd)
y = lambda x: sinh_bad(x) ** 2
for order in (1, 2, 3):
    y = jax.grad(y)
    print("order", order, f"{y(1.0):8.4f}")
