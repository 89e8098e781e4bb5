import itertools
import math

numbering = itertools.count()


class Value:
    def __init__(self, value, *edges):
        self.value = float(value)
        self.parents = tuple(parent for parent, _ in edges)
        self.slopes = tuple(slope for _, slope in edges)
        self.number = next(numbering)  # what is made later never is a parent of what was made before

    def __add__(self, other):
        other = lift(other)
        return Value(self.value + other.value, (self, 1.0), (other, 1.0))

    def __radd__(self, other):
        return lift(other) + self

    def __mul__(self, other):
        other = lift(other)
        return Value(self.value * other.value, (self, other.value), (other, self.value))

    def __rmul__(self, other):
        return lift(other) * self

    def __neg__(self):
        return Value(-self.value, (self, -1.0))

    def __sub__(self, other):
        other = lift(other)
        return Value(self.value - other.value, (self, 1.0), (other, -1.0))

    def __rsub__(self, other):
        return lift(other) - self

    def __truediv__(self, other):
        other = lift(other)
        quotient = self.value / other.value
        return Value(quotient, (self, 1 / other.value), (other, -quotient / other.value))

    def __rtruediv__(self, other):
        return lift(other) / self

    def __pow__(self, power):
        return Value(math.pow(self.value, power), (self, power * math.pow(self.value, power - 1)))

    def exp(self):
        grown = math.exp(self.value)
        return Value(grown, (self, grown))

    def log(self):
        return Value(math.log(self.value), (self, 1 / self.value))

    def tanh(self):
        bent = math.tanh(self.value)
        return Value(bent, (self, (1 - bent) * (1 + bent)))


def lift(one):
    return Value(one) if isinstance(one, (int, float)) else one


def gradients(out, inputs):
    reached, todo = {}, [out]
    while todo:
        node = todo.pop()
        if node.number not in reached:
            reached[node.number] = node
            todo.extend(node.parents)
    sums = dict.fromkeys(reached, 0.0)
    sums[out.number] = 1.0
    for number in sorted(reached, reverse=True):
        node = reached[number]
        for parent, slope in zip(node.parents, node.slopes):
            sums[parent.number] += sums[number] * slope
    return [sums.get(one.number, 0.0) for one in inputs]
