class Value:
    def __init__(self, value, parents=(), slopes=()):
        self.value = float(value)
        self.parents = parents
        self.slopes = slopes

    def __add__(self, other):
        other = as_value(other)
        total = self.value + other.value
        return Value(total, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        other = as_value(other)
        slopes = (other.value, self.value)
        return Value(self.value * other.value, (self, other), slopes)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other


def as_value(number):
    return number if isinstance(number, Value) else Value(number)


def gradients(out, inputs):
    received, stack, visits = {}, [(out, 1.0)], 0
    while stack:
        node, incoming = stack.pop()
        received[id(node)] = received.get(id(node), 0.0) + incoming
        for parent, slope in zip(node.parents, node.slopes):
            stack.append((parent, incoming * slope))
        visits += 1
        if visits > 10**6:
            raise TimeoutError("too many paths")
    return [received.get(id(one), 0.0) for one in inputs]
