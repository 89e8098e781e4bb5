class Value:
    def __init__(self, value, parents=()):
        self.value = float(value)
        self.parents = parents

    def __add__(self, other):
        other = as_value(other)
        return Value(self.value + other.value, (self, other))

    def __mul__(self, other):
        other = as_value(other)
        return Value(self.value * other.value, (self, other))

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return Value(other)


def as_value(number):
    return number if isinstance(number, Value) else Value(number)
