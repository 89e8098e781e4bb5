"""JAX programs that would notice an observer."""

from tests.runtimes.jax.functions import LINEAR, RELU, STRAIGHT_THROUGH

PROGRAMS = {
    "a linear layer": LINEAR,
    "a straight-through estimator": STRAIGHT_THROUGH,
    "prints in forward and backward": RELU.replace("return (jnp", "jax.debug.print('{}', g); return (jnp")
    + """
def f(x):
    print("traced", x)
    return relu(x).sum()
print(jax.grad(f)(x))
""",
    "an error in forward": """
import jax, traceback
def f(x):
    return x.nothing
try:
    jax.grad(f)(1.0)
except AttributeError:
    traceback.print_exc()
""",
    "an error in backward": RELU.replace("jnp.where(x > 0, g, 0)", "g[0]")
    + """
import traceback
try:
    jax.grad(lambda x: relu(x).sum())(x)
except Exception:
    traceback.print_exc()
""",
    "a stack that is printed": """
import jax, traceback
def f(x):
    traceback.print_stack()
    return x * x
print(jax.grad(f)(2.0))
""",
    "random numbers": """
import jax, random, numpy
print(jax.grad(lambda x: x * random.random())(1.0), numpy.random.rand())
""",
    "jacobians": """
import jax, jax.numpy as jnp
print(jax.jacrev(jnp.sin)(jnp.ones(3)), jax.hessian(lambda x: (x**3).sum())(jnp.ones(2)))
""",
    "a named tuple": """
import jax
from collections import namedtuple
P = namedtuple("P", "a b")
print(jax.grad(lambda p: p.a * p.b)(P(1.0, 2.0)))
""",
    "a tree of a class": """
import jax
class P:
    def __init__(self, a):
        self.a = a
def flatten(p):
    print("flatten")
    return (p.a,), None
jax.tree_util.register_pytree_node(P, flatten, lambda _, children: P(*children))
print(jax.grad(lambda p: p.a * p.a)(P(2.0)).a)
""",
    "weak references": """
import jax, gc, weakref, jax.numpy as jnp
gc.disable()
x = jnp.ones(3)
y, pull = jax.vjp(lambda x: jnp.sin(x).sum(), x)
references = [weakref.ref(each) for each in (x, y)]
del x, y, pull
print([reference() for reference in references])
""",
    "a warning": """
import jax, warnings
def f(x):
    warnings.warn("mine")
    return x
print(jax.grad(f)(1.0))
""",
    "an auxiliary value": """
import jax
print(jax.value_and_grad(lambda x: (x * x, "aux"), has_aux=True)(3.0))
""",
    "a thread": """
import jax, threading
thread = threading.Thread(target=lambda: print(jax.grad(lambda x: x * x)(3.0)))
thread.start()
thread.join()
""",
    "deep recursion": """
import jax
def f(x, n=900):
    return x * 1.0 if n == 0 else f(x, n - 1)
try:
    print(jax.grad(f)(1.0))
except RecursionError:
    print("deep")
""",
    "a scan, a loop and a condition": """
import jax, jax.numpy as jnp
def f(x):
    y, _ = jax.lax.scan(lambda c, _: (jnp.sin(c), c), x, None, length=3)
    return jax.lax.cond(y > 0, lambda: y * x, lambda: y)
print(jax.grad(f)(1.0), jax.grad(jax.checkpoint(f))(1.0), jax.vmap(jax.grad(f))(jnp.ones(2)))
""",
    "linear functions": """
import jax
y, f = jax.linearize(lambda x: x * x, 3.0)
print(y, f(1.0), jax.jvp(lambda x: x**2, (2.0,), (1.0,)))
""",
}
