import torch
from gradroom import Subject, check, draw, expect, mistake


def drawn(away=False):
    x = torch.eye(3, dtype=torch.float64) + draw.tensor((3, 3), low=-0.1, high=0.1, grad=False)
    y = draw.tensor((3,), low=3.0, high=4.0, grad=False)
    rate = draw.number(4.5, 5.0) if away else draw.number(0.1, 0.4)
    return [draw.tensor((3,), grad=False), x, y, rate, draw.whole(2, 5)]


best_weights = Subject("best_weights", drawn)
moving_away = Subject("best_weights", lambda: drawn(away=True))  # the loss grows


@check
def values():
    best_weights.values()
    moving_away.values()


@check
def needs_no_grad():
    expect(
        best_weights.theirs.call(drawn()).differentiable == [False],
        said={"en": "What is returned requires grad.", "zh-Hans": "返回的张量需要梯度。"},
    )


@mistake
def shared():
    def last(start, x, y, rate, steps):
        w = start
        for _ in range(steps):
            w = w - rate * 2 * (x @ w - y) @ x / len(y)
        return w

    return best_weights.behaves_like(last) and moving_away.behaves_like(last)


@mistake
def history_kept():
    return best_weights.holds("values") and best_weights.theirs.call(drawn()).differentiable == [True]
