# a = 3 * x, b = 2 * a, out = a + b; each name: (parent, slope)
edges = {
    "out": [("a", 1), ("b", 1)],
    "b": [("a", 2)],
    "a": [("x", 3)],
    "x": [],
}


def walk(order):
    gradient = {"out": 1, "b": 0, "a": 0, "x": 0}
    for name in order:
        for parent, slope in edges[name]:
            gradient[parent] += gradient[name] * slope
    return gradient["x"]


print("a before b:", walk(["out", "a", "b", "x"]))
print("b before a:", walk(["out", "b", "a", "x"]))
