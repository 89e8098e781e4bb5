def tensor(numbers):
    return torch.tensor(numbers, dtype=torch.float64)


def evaluate(program, numbers):
    return tensor([v.value for v in build(program, numbers)])


def recorded(program, numbers):
    values = build(program, numbers)
    place = {id(v): k for k, v in enumerate(values)}
    rows = [[place[id(p)] for p in v.parents] for v in values]
    return torch.tensor([(row + [-1, -1])[:2] for row in rows])


def slopes(program, numbers):
    values = build(program, numbers)
    return tensor([[*v.slopes, 0, 0][:2] for v in values])
