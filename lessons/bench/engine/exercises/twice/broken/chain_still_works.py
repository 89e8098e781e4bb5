import math


class Value:
    """pulls: for each parent a function.

    It takes the gradient of this Value to its share of the parent's.
    """

    def __init__(self, value, parents=(), pulls=()):
        self.value = float(value)
        self.parents = parents
        self.pulls = pulls

    def __add__(self, other):
        other = as_value(other)
        pulls = (lambda g: g, lambda g: g)
        return Value(self.value + other.value, (self, other), pulls)

    def __mul__(self, other):
        other = as_value(other)
        pulls = (lambda g: g * other, lambda g: g * self)
        return Value(self.value * other.value, (self, other), pulls)

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
        pulls = (lambda g: g * number * self ** (number - 1),)
        return Value(self.value**number, (self,), pulls)

    def __truediv__(self, other):
        return self * as_value(other) ** -1

    def __rtruediv__(self, other):
        return as_value(other) / self

    def exp(self):
        out = Value(math.exp(self.value), (self,), (lambda g: g * out,))
        return out

    def log(self):
        pulls = (lambda g: g / self,)
        return Value(math.log(self.value), (self,), pulls)

    def tanh(self):
        pulls = (lambda g: g * (1 - out * out),)
        out = Value(math.tanh(self.value), (self,), pulls)
        return out


def as_value(number):
    return number if isinstance(number, Value) else Value(number)


def ordered(out):
    order, seen = [], set()

    def visit(node):
        if id(node) not in seen:
            seen.add(id(node))
            for parent in node.parents:
                visit(parent)
            order.append(node)

    visit(out)
    return order


def gradients(out, inputs):
    received = {id(out): Value(1.0)}
    for node in reversed(ordered(out)):
        incoming = received[id(node)]
        for parent, pull in zip(node.parents, node.pulls):
            share = pull(incoming)
            before = received.get(id(parent))
            total = share if before is None else before + share
            received[id(parent)] = total
    return [received.get(id(one), Value(0.0)) for one in inputs]
