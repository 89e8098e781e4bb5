class Value:
    def __init__(self, value, parents=()):
        self.value = value
        self.parents = parents

    def __add__(self, other):
        return Value(self.value + other.value, (self, other))

    def __mul__(self, other):
        return Value(self.value * other.value, (self, other))
