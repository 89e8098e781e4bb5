import tensorflow as tf


def sign(x):
    x = tf.clip_by_value(x, -1, 1)
    rest = tf.stop_gradient(tf.sign(x) - x)
    return x + rest


x = tf.constant([-3, -0.3, 0.3], tf.float16)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = sign(x)
    z = 10 * y
grad = tape.gradient(z, x)
print("y:       ", y.numpy().tolist())
print("gradient:", grad.numpy().tolist())
print(x.dtype, "gives", grad.dtype)
