import tensorflow as tf

x = tf.Variable(3.0)
y = x**2
with tf.GradientTape() as tape:
    pass
print(tape.gradient(y, x).numpy())
