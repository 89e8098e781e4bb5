from collections import deque


class Value:
    def __init__(self, value, _children=()):
        self.value = value
        self.gradient = 0.0
        self.parents = tuple(_children)
        self.slopes = ()
        self._push = lambda: None

    def __repr__(self):
        return f"Value({self.value})"

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.value + other.value, (self, other))

        def push():
            self.gradient += out.gradient
            other.gradient += out.gradient

        out._push = push
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.value * other.value, (self, other))

        def push():
            self.gradient += other.value * out.gradient
            other.gradient += self.value * out.gradient

        out._push = push
        return out

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other


def gradients(out, inputs):
    counts, queue, nodes = {}, deque([out]), {id(out): out}
    while queue:
        node = queue.popleft()
        for parent in node.parents:
            counts[id(parent)] = counts.get(id(parent), 0) + 1
            if id(parent) not in nodes:
                nodes[id(parent)] = parent
                queue.append(parent)
    for node in [*nodes.values(), *inputs]:
        node.gradient = 0.0
    out.gradient = 1.0
    queue.append(out)
    while queue:
        node = queue.popleft()
        node._push()
        for parent in node.parents:
            counts[id(parent)] -= 1
            if counts[id(parent)] == 0:
                queue.append(parent)
    return [one.gradient for one in inputs]
