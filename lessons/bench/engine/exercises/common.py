import torch
from gradroom import draw, expect, value

NONE = torch.zeros(0, 1, dtype=torch.float64)
ADD, MUL, AFFINE, HALF, SUB, DIV, NEG, ONE_MINUS, SCALED, TWO_OVER, CUBE, ROOT, EXP, LOG, TANH = range(15)
# The cell adapter has the same list, for Values; here it is for tensors.
OPERATIONS = [
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
CELLS = dict.fromkeys(["tensor", "evaluate", "recorded", "slopes"], "<readers>") | {
    "build": "<adapter>",
    "derivatives": "<derivatives>",
    "everywhere": "<derivatives>",
    "torch": "torch",
}


def check_cells():
    """What builds expressions is what the lesson's cells define, and nothing of the same name in the learner's program."""
    for name, cell in CELLS.items():
        try:
            found = value("torch.__spec__.name" if name == "torch" else f"{name}.__code__.co_filename")
        except AttributeError:
            found = None
        expect(
            found == cell,
            said={
                "en": f"The name `{name}` belongs to the lesson's cells, and your program gives it to something else. Choose another name.",
                "zh-Hans": f"`{name}` 是本课单元格已经用了的名字，你的程序却把它用在了别处。请换一个名字。",
            },
        )


def rows(program):
    return torch.tensor(program, dtype=torch.int64).reshape(-1, 3)


def build(program, numbers):
    values = list(numbers)
    for operation, i, j in program.tolist():
        values.append(OPERATIONS[operation](values[i], values[j]))
    return values


def evaluate(program, numbers):
    return torch.stack(build(program, numbers)).detach()


def derivatives(program, numbers, directions):
    """What autograd gives: the gradient, and along each direction the gradient of that."""
    numbers = numbers.detach().requires_grad_()
    out = build(program, numbers)[-1]
    for direction in [None, *directions]:
        if direction is not None:
            out = (direction * found).sum()
        found = torch.zeros_like(numbers)
        if out.requires_grad:
            (found,) = torch.autograd.grad(out, numbers, create_graph=True, materialize_grads=True)
    return found.detach()


def everywhere(program, numbers):
    """The derivatives of the last value with respect to all values."""
    values = [one.detach().requires_grad_() for one in numbers]
    values = build(program, values)
    return torch.stack(torch.autograd.grad(values[-1], values, materialize_grads=True))


def ties(count):
    return draw.tensor((1,), grad=False).expand(count).clone()


def with_zeros(count):
    found = numbers(count)
    found[draw.shuffled(range(count))[: count // 2]] = 0
    return found


def numbers(count, low=-1.5, high=1.5):
    return draw.tensor((count,), low, high, grad=False)


def tree(count):
    """Each value is used once."""
    free, program = list(range(count)), []
    while len(free) > 1:
        first, second, *free = draw.shuffled(free)
        program.append([draw.choice([ADD, MUL, HALF]), first, second])
        free.append(count + len(program) - 1)
        if draw.whole(0, 2) == 0:
            last = free.pop()
            program.append([AFFINE, last, last])
            free.append(count + len(program) - 1)
    return rows(program)


def shared(count, length=8):
    """Values are used again, and the last one depends on all inputs, most of them along several paths."""
    program = []
    for k in range(length):
        last = count + k - 1
        program.append([draw.choice([ADD, MUL, HALF]), last if k else 0, draw.whole(0, last)])
    last = count + length - 1
    for k in range(count):
        program.append([draw.choice([ADD, HALF]), last, k])
        last += 1
    return rows(program)


def positive(count):
    return numbers(count, 0.5, 2.0)


def diamond(first, second):
    return rows([[AFFINE, 0, 0], [ADD, 1, 1], [ADD, first, second]])


def products(count, length=6):
    return rows([[draw.choice([ADD, MUL]), draw.whole(0, count + k - 1), draw.whole(0, count + k - 1)] for k in range(length)])
