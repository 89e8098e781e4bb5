from gradroom import Subject, check, draw, expect, given, mistake

NAMES_OF = """
theirs = node_names

def node_names(steps, x, y):
    out = x
    for step in steps:
        if step == "sin":
            out = out.sin()
        elif step == "cos":
            out = out.cos()
        elif step == "triple":
            out = 3 * out
        elif step == "square":
            out = out * out
        elif step == "alike":
            out = out.sin() + out.sin()
        elif step == "ends":
            low, high = out.aminmax()
            out = low * high
        elif step == "deep":
            for _ in range(300):
                out = out.cos()
        elif step == "doubled":
            for _ in range(60):
                out = out + out
        else:
            out = out + y
    names = sorted(theirs(out))
    return names if len(names) < 60 else [f"{name} × {names.count(name)}" for name in sorted(set(names))]
"""
SAID = {
    "en": {
        "sin": "sin",
        "cos": "cos",
        "triple": "3 times it",
        "square": "it times itself",
        "alike": "sin of it plus sin of it",
        "ends": "the product of the two outputs of `aminmax()`",
        "deep": "cos 300 times",
        "doubled": "60 times it plus itself",
        "plus y": "it plus `y`",
    },
    "zh-Hans": {
        "sin": "sin",
        "cos": "cos",
        "triple": "乘以 3",
        "square": "自己乘以自己",
        "alike": "它的 sin 加上它的 sin",
        "ends": "`aminmax()` 的两个输出相乘",
        "deep": "做 300 次 cos",
        "doubled": "加上自己，做 60 次",
        "plus y": "加上 `y`",
    },
}


def compute(steps, x, y):
    out = x.requires_grad_()
    for step in steps:
        if step == "sin":
            out = out.sin()
        elif step == "cos":
            out = out.cos()
        elif step == "triple":
            out = 3 * out
        elif step == "square":
            out = out * out
        elif step == "alike":
            out = out.sin() + out.sin()
        elif step == "ends":
            low, high = out.aminmax()
            out = low * high
        elif step == "deep":
            for _ in range(300):
                out = out.cos()
        elif step == "doubled":
            for _ in range(60):
                out = out + out
        else:
            out = out + y.requires_grad_()
    return out


def visit(node):
    """Every path, so that a node that two edges lead to is there twice."""
    if node is None:
        return []
    return [node, *(found for n, _ in node.next_functions for found in visit(n))]


def reach(node):
    """Each node once."""
    seen, waiting = set(), [node]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            waiting.extend(n for n, _ in node.next_functions)
    return seen


def listed(nodes):
    names = sorted(type(node).__name__ for node in nodes)
    return names if len(names) < 60 else [f"{name} × {names.count(name)}" for name in sorted(set(names))]


def all_names(*args):
    return listed(reach(compute(*args).grad_fn))


def first_edges(node):
    while node is not None:
        yield node
        node = node.next_functions[0][0] if node.next_functions else None


def names_of(draw_steps):
    subject = Subject("node_names", lambda: [list(draw_steps()), draw.tensor((3,)), draw.tensor((3,))], like=all_names)
    given("node_names", source=NAMES_OF)
    return subject


in_line = names_of(lambda: draw.choice([["sin", "cos"], ["cos", "sin"], ["sin"]]))
repeated = names_of(lambda: draw.choice([["sin", "cos", "sin"], ["sin", "sin"], ["cos", "sin", "sin"]]))
alike = names_of(lambda: draw.shuffled(["cos", "alike"]))
deep = names_of(lambda: ["sin", "deep"])
doubled = names_of(lambda: ["sin", "doubled"])  # with more paths than any program can walk
two_outputs = names_of(lambda: [*draw.shuffled(["sin", "cos"]), "ends"])
with_none = names_of(lambda: draw.choice([["triple"], ["sin", "triple"], ["triple", "cos"]]))
branched = names_of(lambda: draw.shuffled(["sin", "cos", "square", draw.choice(["plus y", "square"])]))
with_y = names_of(lambda: draw.shuffled(["sin", "cos", "plus y"]))  # whose second edge leads to what the first does not
all_kinds = names_of(lambda: draw.shuffled([*["cos"] * 12, "square", "square", "plus y"]))


def compare(subject, times=3):
    for _ in range(times):
        steps, x, y = subject.drawn()
        expected, got = all_names(steps, x, y), subject.theirs.call([steps, x, y]).outputs
        listed_there = ", ".join(str(name) for name in got)
        said = {lang: (", then " if lang == "en" else "，再").join(words[step] for step in steps) for lang, words in SAID.items()}
        expect(
            got == expected,
            said={
                "en": f"`out` was computed from `x`: {said['en']}. Its graph has the nodes {', '.join(expected)}; listed were {listed_there or 'none'}.",
                "zh-Hans": f"`out` 由 `x` 算出，依次是 {said['zh-Hans']}。计算图的节点有 {', '.join(expected)}，列出的是 {listed_there or '空列表'}。",
            },
        )


@check
def line():
    compare(in_line)


@check
def same_name():
    compare(repeated)
    compare(alike, times=2)


@check
def to_none():
    compare(with_none)


@check
def branches():
    compare(branched, times=6)
    compare(two_outputs, times=1)


@check
def large():
    compare(all_kinds, times=1)
    compare(deep, times=1)
    compare(doubled, times=1)


@mistake
def twice():
    return branched.behaves_like(forward=lambda *args: listed(visit(compute(*args).grad_fn)))


@mistake
def by_name():
    return repeated.behaves_like(forward=lambda *args: sorted(set(listed(visit(compute(*args).grad_fn)))))


@mistake
def first_edge():
    def walked(*args):
        return listed(first_edges(compute(*args).grad_fn))

    # In `with_y`, only one AccumulateGrad is missing; in `alike`, a node is, which may be missing because another one is like it.
    return with_y.behaves_like(forward=walked) and alike.behaves_like(forward=walked)
