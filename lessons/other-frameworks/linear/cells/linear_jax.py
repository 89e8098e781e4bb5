import jax
import jax.numpy as jnp


@jax.custom_vjp
def linear(x, w, b):
    return x @ w.T + b


def fwd(x, w, b):
    return linear(x, w, b), (x, w)


def bwd(residuals, g):
    x, w = residuals
    return g @ w, g.T @ x, g.sum(0)


linear.defvjp(fwd, bwd)
sizes = {"x": (3, 4), "w": (5, 4), "b": (5,)}
args = [jnp.ones(s) for s in sizes.values()]
y, pull_back = jax.vjp(linear, *args)
grads = pull_back(jnp.ones(y.shape))
for name, grad in zip(sizes, grads):
    print(name, grad.shape)
