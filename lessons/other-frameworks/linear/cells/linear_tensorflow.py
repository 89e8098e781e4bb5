import tensorflow as tf


@tf.custom_gradient
def linear(x, w, b):
    def grad(g):
        dx = tf.matmul(g, w)
        dw = tf.matmul(g, x, transpose_a=True)
        return dx, dw, tf.reduce_sum(g, 0)

    y = tf.matmul(x, w, transpose_b=True) + b
    return y, grad


sizes = {"x": (3, 4), "w": (5, 4), "b": (5,)}
args = [tf.ones(s) for s in sizes.values()]
with tf.GradientTape() as tape:
    tape.watch(args)
    y = linear(*args)
for name, grad in zip(sizes, tape.gradient(y, args)):
    print(name, tuple(grad.shape))
