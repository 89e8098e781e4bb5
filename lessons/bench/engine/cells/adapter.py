import torch


def build(program, numbers):
    operations = [
        lambda a, b: a + b,
        lambda a, b: a * b,
        lambda a, b: 2 + (a + 1) * 3,
        lambda a, b: a + 0.5 * b,
        lambda a, b: a - b,
        lambda a, b: a / b,
        lambda a, b: -a,
        lambda a, b: 1 - a,
        lambda a, b: (a - 2.5) / 4,
        lambda a, b: 2 / a,
        lambda a, b: a**3,
        lambda a, b: a**-0.5,
        lambda a, b: a.exp(),
        lambda a, b: a.log(),
        lambda a, b: a.tanh(),
    ]
    values = [Value(number) for number in numbers.tolist()]
    for which, i, j in program.tolist():
        values.append(operations[which](values[i], values[j]))
    return values
