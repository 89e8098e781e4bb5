"""Functions of TensorFlow's that a child has in another form, so that they work in the sandbox."""
