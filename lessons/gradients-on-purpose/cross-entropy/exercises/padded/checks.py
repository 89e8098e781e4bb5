import torch
from gradroom import Subject, check, draw, mistake


def batch(padded):
    rows, classes = draw.whole(3, 4), draw.whole(3, 5)
    target = torch.tensor([draw.whole(0, classes - 1) for _ in range(rows)])
    if padded:
        target[draw.whole(0, rows - 1)] = -100
    return [draw.tensor((rows, classes)), target]


def negative():
    """Other negative targets than -100."""
    logits, target = batch(False)
    target[0], target[1] = -1, -draw.whole(2, 99)
    return [logits, target]


def sure():
    logits = draw.tensor((3, 4), grad=False)
    logits[0, 1] = draw.number(150, 300)
    logits[1, 2] = draw.number(800, 900)
    return [logits.requires_grad_(), torch.tensor([0, 1, 3])]


full = Subject("CrossEntropy", lambda: batch(False))
padded = Subject("CrossEntropy", lambda: batch(True))
any_negative = Subject("CrossEntropy", negative)
confident = Subject("CrossEntropy", sure)


def slope(logits, target):
    hot = torch.nn.functional.one_hot(target.clamp(min=0), logits.shape[1])
    return torch.softmax(logits, 1) - hot


@check
def values():
    full.values()


@check
def gradient():
    full.gradients()
    full.gradcheck()


@check
def padding():
    padded.values()
    padded.gradients()
    padded.interleaved()
    padded.untouched()


@check
def negative():
    any_negative.values()
    any_negative.gradients()


@check
def edges():
    full.edges(without=["large", "low"])


@check
def confident_wrong():
    confident.values()
    confident.gradients()


def like(backward):
    return padded.behaves_like(backward=backward)


@mistake
def not_divided():
    return like(lambda g, logits, target: g * (target >= 0)[:, None] * slope(logits, target)) or like(
        lambda g, logits, target: g * slope(logits, target)
    )


@mistake
def padding_receives():
    def received(g, logits, target):
        return g * slope(logits, target) / (target >= 0).sum()

    def softmax_received(g, logits, target):
        return (
            g
            * (torch.softmax(logits, 1) - (target >= 0)[:, None] * (torch.softmax(logits, 1) - slope(logits, target)))
            / (target >= 0).sum()
        )

    return like(received) or like(softmax_received)


@mistake
def all_rows():
    return like(lambda g, logits, target: g * (target >= 0)[:, None] * slope(logits, target) / len(target)) or like(
        lambda g, logits, target: g * slope(logits, target) / len(target)
    )
