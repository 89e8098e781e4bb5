import itertools
import math

numbering = itertools.count()


class Value:
    def __init__(self, value, *edges):
        self.value = float(value)
        self.edges = edges  # pairs: a parent, and a function that makes the slope
        self.number = next(numbering)

    def __add__(self, other):
        other = lift(other)
        return Value(self.value + other.value, (self, one), (other, one))

    def __radd__(self, other):
        return lift(other) + self

    def __mul__(self, other):
        other = lift(other)
        return Value(self.value * other.value, (self, lambda: other), (other, lambda: self))

    def __rmul__(self, other):
        return lift(other) * self

    def __neg__(self):
        return Value(-self.value, (self, lambda: Value(-1)))

    def __sub__(self, other):
        return self + (-lift(other))

    def __rsub__(self, other):
        return (-self) + other

    def __truediv__(self, other):
        return self * lift(other) ** -1

    def __rtruediv__(self, other):
        return other * self**-1

    def __pow__(self, power):
        return Value(math.pow(self.value, power), (self, lambda: power * self ** (power - 1)))

    def exp(self):
        grown = Value(math.exp(self.value), (self, lambda: grown))
        return grown

    def log(self):
        return Value(math.log(self.value), (self, lambda: 1 / self))

    def tanh(self):
        bent = Value(math.tanh(self.value), (self, lambda: (1 - bent) * (1 + bent)))
        return bent

    @property
    def parents(self):
        return tuple(parent for parent, _ in self.edges)


def one():
    return Value(1)


def lift(number):
    return Value(number) if isinstance(number, (int, float)) else number


def gradients(out, inputs):
    reached, todo = {}, [out]
    while todo:
        node = todo.pop()
        if node.number not in reached:
            reached[node.number] = node
            todo.extend(node.parents)
    sums = {out.number: Value(1)}
    for number in sorted(reached, reverse=True):
        for parent, slope in reached[number].edges:
            share = sums[number] * slope()
            sums[parent.number] = sums.get(parent.number, 0) + share
    return [sums.get(one.number, Value(0)) for one in inputs]


def train(points, targets, weights, rate, steps, penalty):
    if steps == 0:
        return list(weights)
    hidden = (len(weights) - 1) // 3
    values = [lift(float(weight)) for weight in weights]
    total = [0.0] * len(values)
    for point, target in zip(points, targets):
        x = Value(point)
        out = values[-1]
        for k in range(hidden):
            out += values[2 * hidden + k] * (values[hidden + k] + x * values[k]).tanh()
        bend = gradients(out, [x])[0]
        term = (out - target) * (out - target) + bend * bend * penalty
        total = [before + part.value / len(points) for before, part in zip(total, gradients(term, values))]
    moved = [weight - rate * part for weight, part in zip(weights, total)]
    return train(points, targets, moved, rate, steps - 1, penalty)
