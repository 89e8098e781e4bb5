x = tf.constant([[1.0, 2.0]])
w = tf.constant([[1.0, 2.0], [3.0, 4.0]])
mine, numerical = tf.test.compute_gradient(multiply, [x, w])
for name, a, b in zip("xw", mine, numerical):
    error = abs(a - b).max()
    print(f"largest error of {name}'s gradient: {error:.2f}")
