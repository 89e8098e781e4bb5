class Value:
    def __init__(self, value, parents=()):
        self.value = value
        self.parents = parents

    def __radd__(self, other):
        return self + other
