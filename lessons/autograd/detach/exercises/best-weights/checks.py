import torch
from gradroom import Subject, check, draw, expect, mistake


def drawn(away=False):
    x = torch.eye(3, dtype=torch.float64) + draw.tensor((3, 3), low=-0.1, high=0.1, grad=False)
    y = draw.tensor((3,), low=3.0, high=4.0, grad=False)
    rate = draw.number(4.5, 5.0) if away else draw.number(0.1, 0.4)
    return [draw.tensor((3,), grad=False), x, y, rate, draw.whole(2, 5)]


best_weights = Subject("best_weights", drawn)


def there_and_away():
    """One entry of w comes near, the other one goes away more and more: the loss is lowest in between."""
    x = torch.diag(torch.tensor([1.0, 2.0], dtype=torch.float64))
    start = torch.tensor([draw.number(4.0, 4.5), draw.number(0.45, 0.55)], dtype=torch.float64)
    return [start, x, torch.zeros(2, dtype=torch.float64), draw.number(0.54, 0.56), draw.whole(6, 8)]


def one_step():
    return [draw.tensor((3,), grad=False), draw.tensor((2, 3), 0.5, 1.0, grad=False), draw.tensor((2,), 3.0, 4.0, grad=False), 0.1, 1]


moving_away = Subject("best_weights", lambda: drawn(away=True))  # the loss grows
between = Subject("best_weights", there_and_away)
once = Subject("best_weights", one_step)


@check
def values():
    best_weights.values()
    moving_away.values()
    between.values()


@check
def needs_no_grad():
    expect(
        best_weights.theirs.call(drawn()).differentiable == [False],
        said={"en": "What is returned requires grad.", "zh-Hans": "返回的张量需要梯度。"},
    )


@check
def edges():
    once.values()
    best_weights.edges(without=["large", "low", "one-row", "many-rows"])  # w is no rows


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
