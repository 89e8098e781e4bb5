import torch
from gradroom import Subject, check, draw, expect, given, mistake

ANY_SCORE = {
    "en": "With another function in the place of `score_of`, one that is no sum over the rows of `h`, `hidden_gradient` did not return the gradient "
    "of that score.",
    "zh-Hans": "把 `score_of` 换成别的函数（不再是逐行求和）之后，`hidden_gradient` 返回的不是那个得分的梯度。",
}
OTHER_SCORE = """
import torch

def gradient_of_other(x, w, v, a):
    names = hidden_gradient.__globals__
    before = names.get("score_of")
    names["score_of"] = lambda h, v: (torch.sin(a * h) @ v).mean() + (h @ v).sum() ** 2 + (h @ v).sum().detach()
    try:
        return hidden_gradient(x, w, v)
    finally:
        names["score_of"] = before
"""


def drawn():
    rows, inner, units = draw.whole(2, 3), draw.whole(4, 5), draw.whole(6, 7)
    x = draw.tensor((rows, inner), low=-1.0, high=1.0, grad=False)
    return [x, draw.tensor((inner, units)), draw.tensor((units,), low=0.5, grad=False)]


def of_other(x, w, v, a):
    """Of a score that is no sum over the rows."""
    h = torch.tanh(x @ w)
    return (a * torch.cos(a * h) * v / len(h) + 2 * (h @ v).sum() * v).detach()


hidden = Subject("hidden_gradient", drawn)
other = Subject("gradient_of_other", lambda: [*drawn(), draw.number(1.0, 2.0)], like=of_other)
given("gradient_of_other", source=OTHER_SCORE)


@check
def gradient():
    hidden.values()


@check
def edges():
    hidden.edges()


@check
def any_score():
    expect(other.holds("values"), said=ANY_SCORE)


@mistake
def not_kept():
    return hidden.theirs.call(drawn()).outputs[0] is None


@mistake
def leaf():
    def gradient_of_w(x, w, v):
        h = torch.tanh(x @ w)
        return x.T @ (2 * h * v * (1 - h**2))

    return hidden.behaves_like(gradient_of_w)
