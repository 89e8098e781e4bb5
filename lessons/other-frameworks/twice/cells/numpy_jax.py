import jax
import numpy as np


@jax.custom_vjp
def sinh_bad(x):
    return (np.exp(x) - np.exp(-x)) / 2


def fwd(x):
    up, down = np.exp(x), np.exp(-x)
    return sinh_bad(x), (up, down)


def bwd(residuals, g):
    up, down = residuals
    return (g * (up + down) / 2,)


sinh_bad.defvjp(fwd, bwd)
y = lambda x: sinh_bad(x) ** 2
first = jax.grad(y)
print("order 1", f"{first(1.0):8.4f}")
second = jax.grad(first)
print("order 2", f"{second(1.0):8.4f}")
