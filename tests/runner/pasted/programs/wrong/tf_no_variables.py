import tensorflow as tf

w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])


@tf.custom_gradient
def dense(x):
    def grad(dy):
        return tf.matmul(dy, w, transpose_b=True)

    return tf.matmul(x, w), grad


x = tf.constant([[1.0, 1.0]])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.reduce_sum(dense(x))
print(tape.gradient(y, x))
