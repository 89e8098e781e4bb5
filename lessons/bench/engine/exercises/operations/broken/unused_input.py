import math


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

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -as_value(other)

    def __rsub__(self, other):
        return as_value(other) - self

    def __pow__(self, number):
        slope = number * self.value ** (number - 1)
        return Value(self.value**number, (self,), (slope,))

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __rtruediv__(self, other):
        return as_value(other) / self

    def exp(self):
        value = math.exp(self.value)
        return Value(value, (self,), (value,))

    def log(self):
        return Value(math.log(self.value), (self,), (1 / self.value,))

    def tanh(self):
        value = math.tanh(self.value)
        return Value(value, (self,), (1 - value**2,))


def as_value(number):
    return number if isinstance(number, Value) else Value(number)


def ordered(out):
    """All that out depends on, each after its parents.

    A stack instead of recursion: graphs are deep.
    """
    order, seen, stack = [], {id(out)}, [(out, iter(out.parents))]
    while stack:
        node, parents = stack[-1]
        parent = next(parents, None)
        if parent is None:
            order.append(node)
            stack.pop()
        elif id(parent) not in seen:
            seen.add(id(parent))
            stack.append((parent, iter(parent.parents)))
    return order


def gradients(out, inputs):
    received = {id(out): 1.0}
    for node in reversed(ordered(out)):
        incoming = received[id(node)]
        for parent, slope in zip(node.parents, node.slopes):
            before = received.get(id(parent), 0.0)
            received[id(parent)] = before + incoming * slope
    return [received.get(id(one), 1.0) for one in inputs]
