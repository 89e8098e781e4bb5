import jax
import jax.numpy as jnp


def sign(x):
    clipped = jnp.clip(x, -1, 1)
    return clipped + jax.lax.stop_gradient(jnp.sign(x) - clipped)


x = jnp.array([-3.0, -0.3, 0.3])
print(sign(x), jax.grad(lambda x: (10 * sign(x)).sum())(x))
