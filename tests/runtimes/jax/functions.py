"""JAX functions with their own derivatives that a learner might write, and wrong versions of them."""

_IMPORTS = """
import jax
import jax.numpy as jnp
from jax.test_util import check_grads
"""

RELU = (
    _IMPORTS
    + """
@jax.custom_vjp
def relu(x):
    return jnp.maximum(x, 0)
def forward(x):
    return relu(x), x
def backward(x, g):
    return (jnp.where(x > 0, g, 0),)
relu.defvjp(forward, backward)
x = jnp.array([[1.5, -2.0], [0.5, -0.25]])
"""
)

LINEAR = (
    _IMPORTS
    + """
@jax.custom_vjp
def linear(x, w, b):
    return x @ w.T + b
def forward(x, w, b):
    return linear(x, w, b), (x, w)
def backward(saved, g):
    x, w = saved
    return g @ w, g.T @ x, g.sum(0)
linear.defvjp(forward, backward)
def draw(outputs):
    keys = jax.random.split(jax.random.key(0))
    return jax.random.normal(keys[0], (3, 4)), jax.random.normal(keys[1], (outputs, 4)), jnp.zeros(outputs)
"""
)

LINEAR_TRANSPOSED = LINEAR.replace("g @ w, g.T @ x", "g @ w.T, x.T @ g")

STRAIGHT_THROUGH = (
    _IMPORTS
    + """
@jax.custom_vjp
def quantise(x):
    return jnp.round(x * 4) / 4
quantise.defvjp(lambda x: (quantise(x), None), lambda _, g: (g,))
x = jnp.array([0.3, 0.7, -1.1])
"""
)

SINH = (
    _IMPORTS
    + """
@jax.custom_vjp
def sinh(x):
    return (jnp.exp(x) - jnp.exp(-x)) / 2
def forward(x):
    up, down = jnp.exp(x), jnp.exp(-x)
    return (up - down) / 2, (up, down)
def backward(saved, g):
    up, down = saved
    return (g * (up + down) / 2,)
sinh.defvjp(forward, backward)
x = jnp.array([0.5, -1.0, 1.5])
"""
)

# the intermediate values are not differentiated
SINH_BAD = SINH.replace("(up - down) / 2, (up, down)", "(up - down) / 2, jax.lax.stop_gradient((up, down))")
