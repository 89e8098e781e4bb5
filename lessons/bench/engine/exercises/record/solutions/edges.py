import math


class Value:
    def __init__(self, value):
        self.value = float(value)
        self.parents = ()
        self.slopes = ()

    def __add__(self, other):
        return make(self.value + plain(other), [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        return make(self.value * plain(other), [(self, plain(other)), (other, self.value)])

    def __sub__(self, other):
        return make(self.value - plain(other), [(self, 1.0), (other, -1.0)])

    def __truediv__(self, other):
        b = plain(other)
        return make(self.value / b, [(self, 1 / b), (other, -self.value / b**2)])

    def __radd__(self, other):
        return make(other + self.value, [(self, 1.0)])

    def __rmul__(self, other):
        return make(other * self.value, [(self, other)])

    def __rsub__(self, other):
        return make(other - self.value, [(self, -1.0)])

    def __rtruediv__(self, other):
        return make(other / self.value, [(self, -other / self.value**2)])

    def __neg__(self):
        return make(-self.value, [(self, -1.0)])

    def __pow__(self, n):
        return make(self.value**n, [(self, n * self.value ** (n - 1))])

    def exp(self):
        return make(math.exp(self.value), [(self, math.exp(self.value))])

    def log(self):
        return make(math.log(self.value), [(self, 1 / self.value)])

    def tanh(self):
        t = math.tanh(self.value)
        return make(t, [(self, 1 - t * t)])


def plain(one):
    return one.value if isinstance(one, Value) else one


def make(value, edges):
    out = Value(value)
    edges = [edge for edge in edges if isinstance(edge[0], Value)]
    out.parents = tuple(parent for parent, _ in edges)
    out.slopes = tuple(slope for _, slope in edges)
    return out


def gradients(out, inputs):
    waiting = {}
    found = [out]
    seen = {id(out)}
    for node in found:
        for parent in node.parents:
            waiting[id(parent)] = waiting.get(id(parent), 0) + 1
            if id(parent) not in seen:
                seen.add(id(parent))
                found.append(parent)
    total = {key: 0.0 for key in seen}
    total[id(out)] = 1.0
    ready = [out]
    while ready:
        node = ready.pop()
        for parent, slope in zip(node.parents, node.slopes):
            total[id(parent)] += slope * total[id(node)]
            waiting[id(parent)] -= 1
            if waiting[id(parent)] == 0:
                ready.append(parent)
    return [total.get(id(one), 0.0) for one in inputs]
