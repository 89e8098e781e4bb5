import tensorflow as tf

w = tf.Variable(3.0)
x = tf.constant(2.0)
with tf.GradientTape() as tape:
    y = w * x * x
grads = tape.gradient(y, [w, x])
print("w:", grads[0])
print("x:", grads[1])
