class Value:
    def __init__(self, value, parents=()):
        self.value = value
        self.parents = parents

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        self.value += other.value
        self.parents = (self, other)
        return self

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        self.value *= other.value
        self.parents = (self, other)
        return self

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other
