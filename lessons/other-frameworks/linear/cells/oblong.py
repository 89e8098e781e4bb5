x, w = tf.ones((3, 4)), tf.ones((5, 4))
with tf.GradientTape() as tape:
    tape.watch([x, w])
    y = multiply(x, w)
print("y", tuple(y.shape))
try:
    tape.gradient(y, [x, w])
except tf.errors.InvalidArgumentError as error:
    text = error.message
    text = text[text.index("Matrix") : text.index(" [Op")]
    print("InvalidArgumentError:", text)
