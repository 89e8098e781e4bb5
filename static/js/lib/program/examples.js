/** The example programs of the playground. */

/** @typedef {{name: string, source: string, runtime?: string}} Example  if `runtime` is absent, PyTorch */

const IMPORTS = `import torch
from torch.autograd import Function, gradcheck, gradgradcheck
from torchviz import make_dot
`;

const CHECK = (/** @type {string} */ name) => `
x = torch.randn(3, dtype=torch.double, requires_grad=True)
out = ${name}.apply(x)
(grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)
make_dot((grad_x, x, out), params={"grad_x": grad_x, "x": x, "out": out})

gradcheck(${name}.apply, x)
gradgradcheck(${name}.apply, x)
`;

/** @type {Example[]} */
export const EXAMPLES = [
  {
    name: "backward",
    source: `import torch
from torchviz import make_dot

x = torch.tensor([3.0, 4.0], requires_grad=True)
y = (x + 2) ** 2
y.sum().backward()
print(x.grad)
make_dot(y, params={"x": x, "y": y})
`,
  },
  {
    name: "Square",
    source: `${IMPORTS}

class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_out):
        (x,) = ctx.saved_tensors
        return grad_out * 2 * x

${CHECK("Square")}`,
  },
  {
    name: "Sinh",
    source: `${IMPORTS}

class Sinh(Function):
    @staticmethod
    def forward(ctx, x):
        up, down = torch.exp(x), torch.exp(-x)
        ctx.save_for_backward(up, down)
        return (up - down) / 2, up, down

    @staticmethod
    def backward(ctx, grad_out, grad_up, grad_down):
        up, down = ctx.saved_tensors
        return grad_out * (up + down) / 2 + grad_up * up - grad_down * down


def sinh(x):
    return Sinh.apply(x)[0]

${CHECK("Sinh").replaceAll("Sinh.apply", "sinh")}`,
  },
  {
    name: "SinhBad",
    source: `${IMPORTS}

class SinhBad(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.up, ctx.down = torch.exp(x), torch.exp(-x)
        return (ctx.up - ctx.down) / 2

    @staticmethod
    def backward(ctx, grad_out):
        return grad_out * (ctx.up + ctx.down) / 2

${CHECK("SinhBad")}`,
  },
  {
    runtime: "tensorflow",
    name: "custom_gradient",
    source: `import tensorflow as tf


@tf.custom_gradient
def relu(x):
    # What the gradient needs, a closure keeps. · 梯度需要的值由闭包保存。
    def grad(dy):
        return tf.where(x > 0, dy, tf.zeros_like(dy))

    return tf.maximum(x, 0), grad


x = tf.constant([[1.5, -2.0], [0.5, -0.25]], tf.float64)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = relu(x)
print(tape.gradient(y, x))

# Both Jacobians are shown beside this line. · 两个雅可比矩阵显示在这一行旁边。
tf.test.compute_gradient(relu, [x])
`,
  },
  {
    runtime: "jax",
    name: "custom_vjp",
    source: `import jax
import jax.numpy as jnp
from jax.test_util import check_grads


@jax.custom_vjp
def relu(x):
    return jnp.maximum(x, 0)


def forward(x):
    return relu(x), x  # the output, and what backward needs · 输出，以及反向传播需要的值


def backward(x, g):
    return (jnp.where(x > 0, g, 0),)


relu.defvjp(forward, backward)

x = jnp.array([[1.5, -2.0], [0.5, -0.25]])
print(jax.grad(lambda x: relu(x).sum())(x))

# Both Jacobians are shown beside this line. · 两个雅可比矩阵显示在这一行旁边。
check_grads(relu, (x,), order=1, modes=["rev"])
`,
  },
];
