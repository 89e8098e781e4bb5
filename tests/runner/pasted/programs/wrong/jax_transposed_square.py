import jax
import jax.numpy as jnp
from jax.test_util import check_grads


@jax.custom_vjp
def linear(x, w, b):
    return x @ w.T + b


def fwd(x, w, b):
    return linear(x, w, b), (x, w)


def bwd(residuals, g):
    x, w = residuals
    return g @ w.T, x.T @ g, g.sum(0)


linear.defvjp(fwd, bwd)
keys = jax.random.split(jax.random.key(0), 3)
args = [jax.random.normal(key, shape) for key, shape in zip(keys, [(4, 4), (4, 4), (4,)])]
check_grads(linear, args, 1, "rev")
