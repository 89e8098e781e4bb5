def gradients(x, y):
    a = x * y
    b = x + a
    grads = dict.fromkeys("xyab", 0.0)

    grads["a"] += b
    grads["b"] += a
    grads["x"] += grads["b"]
    grads["a"] += grads["b"]
    grads["x"] += grads["a"] * y
    grads["y"] += grads["a"] * x
    return [grads["x"], grads["y"]]
