class Value:
    def __init__(self, value, parents=(), slopes=()):
        self.value = float(value)
        self.parents = parents
        self.slopes = slopes
        self.uses = 0
        for parent in parents:
            parent.uses += 1

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
    received, waiting, ready = {id(out): 1.0}, {}, [out]
    while ready:
        node = ready.pop()
        for parent, slope in zip(node.parents, node.slopes):
            received[id(parent)] = received.get(id(parent), 0.0) + received[id(node)] * slope
            waiting[id(parent)] = waiting.get(id(parent), parent.uses) - 1
            if waiting[id(parent)] == 0:
                ready.append(parent)
    return [received.get(id(one), 0.0) for one in inputs]
