import jax
import jax.numpy as jnp


def loss(x):
    y = (x**2).sum()
    print(f"loss {y:.3f}")
    return y


print(jax.grad(loss)(jnp.ones(3)))
