"""TensorFlow functions with their own gradients that a learner might write, and wrong versions of them."""

RELU = """
import tensorflow as tf
@tf.custom_gradient
def relu(x):
    def grad(dy):
        return tf.where(x > 0, dy, tf.zeros_like(dy))
    return tf.maximum(x, 0), grad
x = tf.constant([[1.5, -2.0], [0.5, -0.25]], tf.float64)
"""

LINEAR = """
import tensorflow as tf
@tf.custom_gradient
def linear(x, w, b):
    def grad(dy):
        return tf.matmul(dy, w), tf.matmul(dy, x, transpose_a=True), tf.reduce_sum(dy, axis=0)
    return tf.matmul(x, w, transpose_b=True) + b, grad
def draw(outputs):
    return [tf.random.normal((3, 4)), tf.random.normal((outputs, 4)), tf.zeros(outputs)]
"""

# as in a tutorial in which the weight is stored transposed
LINEAR_OF_A_TUTORIAL = LINEAR.replace(
    "tf.matmul(dy, w), tf.matmul(dy, x, transpose_a=True)", "tf.matmul(dy, w, transpose_b=True), tf.matmul(x, dy, transpose_a=True)"
)

STRAIGHT_THROUGH = """
import tensorflow as tf
@tf.custom_gradient
def quantise(x):
    return tf.round(x * 4) / 4, lambda dy: dy
x = tf.constant([0.3, 0.7, -1.1], tf.float64)
"""

SINH = """
import tensorflow as tf
@tf.custom_gradient
def sinh(x):
    up, down = tf.exp(x), tf.exp(-x)
    def grad(dy):
        return dy * (up + down) / 2
    return (up - down) / 2, grad
def slope(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = sinh(x)
    return tape.gradient(y, x)
x = tf.constant([0.5, -1.0, 2.0], tf.float64)
"""

# the intermediate values are not differentiated
SINH_BAD = SINH.replace("tf.exp(x), tf.exp(-x)", "tf.stop_gradient(tf.exp(x)), tf.stop_gradient(tf.exp(-x))")
