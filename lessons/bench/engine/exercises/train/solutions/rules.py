import math


class Value:
    def __init__(self, value, parents=(), rule=None):
        self.value = float(value)
        self.parents = parents
        self.rule = rule

    def __add__(self, other):
        return make(lambda a, b: a + b, lambda g, a, b: (g, g), self, other)

    def __mul__(self, other):
        return make(lambda a, b: a * b, lambda g, a, b: (g * b, g * a), self, other)

    def __sub__(self, other):
        return make(lambda a, b: a - b, lambda g, a, b: (g, -g), self, other)

    def __truediv__(self, other):
        return make(lambda a, b: a / b, lambda g, a, b: (g / b, -g * a / (b * b)), self, other)

    def __radd__(self, other):
        return Value(other) + self

    def __rmul__(self, other):
        return Value(other) * self

    def __rsub__(self, other):
        return Value(other) - self

    def __rtruediv__(self, other):
        return Value(other) / self

    def __neg__(self):
        return make(lambda a: -a, lambda g, a: (-g,), self)

    def __pow__(self, n):
        return make(lambda a: a**n, lambda g, a: (g * n * a ** (n - 1),), self)

    def exp(self):
        return make(math.exp, lambda g, a: (g * a.exp(),), self)

    def log(self):
        return make(math.log, lambda g, a: (g / a,), self)

    def tanh(self):
        return make(math.tanh, lambda g, a: (g - g * a.tanh() ** 2,), self)


def make(function, rule, *operands):
    parents = tuple(one if isinstance(one, Value) else Value(one) for one in operands)
    return Value(function(*(one.value for one in parents)), parents, rule)


def gradients(out, inputs):
    users, found, seen = {}, [out], {id(out)}
    for node in found:
        for parent in node.parents:
            users[id(parent)] = users.get(id(parent), 0) + 1
            if id(parent) not in seen:
                seen.add(id(parent))
                found.append(parent)
    total, ready = {id(out): Value(1)}, [out]
    while ready:
        node = ready.pop()
        if node.rule is None:
            continue
        for parent, share in zip(node.parents, node.rule(total[id(node)], *node.parents)):
            total[id(parent)] = total[id(parent)] + share if id(parent) in total else share
            users[id(parent)] -= 1
            if not users[id(parent)]:
                ready.append(parent)
    return [total.get(id(one)) or Value(0) for one in inputs]


def train(points, targets, weights, rate, steps, penalty):
    h, n = len(weights) // 3, len(points)
    w = list(weights)
    for _ in range(steps):
        v = [Value(one) for one in w]
        xs = [Value(point) for point in points]
        outs = [sum(v[2 * h + k] * (v[k] * x + v[h + k]).tanh() for k in range(h)) + v[3 * h] for x in xs]
        bends = gradients(sum(outs), xs)  # each output depends on its own point alone
        errors = sum((out - target) ** 2 for out, target in zip(outs, targets))
        rough = sum(bend * bend for bend in bends)
        loss = (errors + penalty * rough) / n
        for k, one in enumerate(gradients(loss, v)):
            w[k] -= rate * one.value
    return w
