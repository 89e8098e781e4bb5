import matplotlib.pyplot as plt

at = {"x": (0, 0), "a": (1, 1), "out": (2, 0)}
through_a = passed["AddBackward0"][0]
direct, to_a = passed["MulBackward0"]

fig, ax = plt.subplots(figsize=(5, 3))
for name, place in at.items():
    box = {"boxstyle": "round", "facecolor": "none"}
    ax.text(*place, name, ha="center", va="center", bbox=box)
for start, end, value, gradient, side, shift in [
    ("x", "a", x, through_a, "right", 0.1),
    ("a", "out", a, to_a, "left", 0.1),
    ("x", "out", x, direct, "center", -0.15),
]:
    arrow = {"arrowstyle": "->", "shrinkA": 18, "shrinkB": 18}
    ax.annotate("", at[end], at[start], arrowprops=arrow)
    p, q = [(i + j) / 2 for i, j in zip(at[start], at[end])]
    words = f"value {value:g}\ngradient {gradient:g}"
    ax.text(p, q + shift, words, ha=side, va="center")
ax.set_title(f"at x: {direct:g} + {through_a:g} = {x.grad:g}")
ax.set(xlim=(-0.3, 2.3), ylim=(-0.4, 1.2))
ax.axis("off")
plt.show()
