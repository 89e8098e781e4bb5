import tensorflow as tf


@tf.custom_gradient
def multiply(x, w):
    def grad(g):
        dx = tf.matmul(g, w, transpose_b=True)
        dw = tf.matmul(x, g, transpose_a=True)
        return dx, dw

    return tf.matmul(x, w, transpose_b=True), grad
