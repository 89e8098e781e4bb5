import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as second:
    with tf.GradientTape() as first:
        y = x**3
g1 = first.gradient(y, x)
g2 = second.gradient(g1, x)
print("first: ", g1.numpy())
print("second:", g2)
