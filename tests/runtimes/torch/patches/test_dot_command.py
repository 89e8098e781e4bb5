"""graphviz's own output functions without a `dot` process."""

import pytest

from tests.runtimes.children import Children

UNNAMED = (
    "import torch, torchviz, graphviz\n"
    "class S(torch.autograd.Function):\n"
    "    @staticmethod\n"
    "    def forward(ctx, x):\n"
    "        e = x.exp()\n"
    "        ctx.save_for_backward(e)\n"
    "        return e * 2\n"
    "    @staticmethod\n"
    "    def backward(ctx, g): return g * ctx.saved_tensors[0]\n"
    "d = torchviz.make_dot(S.apply(torch.ones(3, requires_grad=True)))\n"
)


@pytest.mark.parametrize(
    ("output_format", "start"),
    [("svg", "<?xml"), ("png", "\x89PNG"), ("pdf", "%PDF"), ("dot", "digraph"), ("plain", "graph"), ("json", "{")],
)
def test_pipe_answers_in(children: Children, output_format: str, start: str) -> None:
    ended = children.run(UNNAMED + f"print(d.pipe(format={output_format!r})[:5].decode('latin-1'))")
    assert ended.stdout.startswith(start[:4])


@pytest.mark.parametrize(
    ("call", "path", "files"),
    [
        ("d.render('graph', format='svg')", "graph.svg", ["graph", "graph.svg"]),
        ("d.render('graph', format='svg', cleanup=True)", "graph.svg", ["graph.svg"]),
        ("d.render(outfile='out.svg')", "out.svg", ["out.gv", "out.svg"]),
        ("d.render()", "Digraph.gv.pdf", ["Digraph.gv", "Digraph.gv.pdf"]),
        ("d.render('graph', format='png', renderer='cairo')", "graph.cairo.png", ["graph", "graph.cairo.png"]),
        ("graphviz.render('dot', 'svg', d.save('saved'))", "saved.svg", ["saved", "saved.svg"]),
    ],
)
def test_render_writes_where_graphviz_says(children: Children, call: str, path: str, files: list[str]) -> None:
    ended = children.run(UNNAMED + f"print({call})")
    assert ended.stdout == f"{path}\n"
    assert sorted(ended.files) == files
    assert all(ended.files.values())


def test_representations_answer(children: Children) -> None:
    ended = children.run(UNNAMED + "print(list(d._repr_mimebundle_()), d._repr_image_svg_xml()[:5], d.pipe('svg', encoding='utf-8')[:5])")
    assert ended.stdout == "['image/svg+xml'] <?xml <?xml\n"


def test_every_engine_lays_out(children: Children) -> None:
    ended = children.run(
        "import graphviz\n"
        "for engine in sorted(graphviz.ENGINES):\n"
        "    print(len(graphviz.Source('digraph { a -> b }', engine=engine).pipe('svg')) > 500)"
    )
    assert set(ended.stdout.split()) == {"True"}


def test_a_picture_is_not_a_record(children: Children) -> None:
    ended = children.run("import graphviz\ngraphviz.Source('digraph { a }').pipe('svg');")
    assert ended.records == []


@pytest.mark.parametrize("call", ["d.view()", "d.render(view=True)", "graphviz.view('Digraph.gv.pdf')"])
def test_view_says_that_there_is_no_screen(children: Children, call: str) -> None:
    ended = children.run(UNNAMED + f"{call};")
    assert "<source>:11: UserWarning: Digraph.gv.pdf was written, but there is no screen here to open it on" in ended.stderr


def test_broken_dot_is_graphviz_own_error(children: Children) -> None:
    error = children.run("import graphviz\ngraphviz.Source('digraph { a -> ').pipe('svg')").error
    assert error.type == "CalledProcessError"
    assert "syntax error" in error.message


def test_an_unknown_program_or_format_is_graphviz_own_error(children: Children) -> None:
    assert children.run(UNNAMED + "d.unflatten()").error.type == "ExecutableNotFound"
    assert children.run(UNNAMED + "d.pipe('webp')").error.type == "CalledProcessError"


def test_the_version_is_that_of_the_library(children: Children) -> None:
    assert children.run("import graphviz\nprint(graphviz.version()[0] >= 10)").stdout == "True\n"


def test_labels_that_begin_with_a_line_break_do_no_harm(children: Children) -> None:
    ended = children.run(
        "import graphviz\n"
        "for text in (r'\\n', r'\\l', r'\\r', '\\n', '\\r\\n', ' ', '', r'\\\\n', '好\\n🎉', '\\n' * 50):\n"
        "    g = graphviz.Digraph()\n"
        "    g.node('a', text + 'label')\n"
        "    g.edge('a', text + 'b', text)\n"
        "    for _ in range(40): g.pipe('svg')\n"
        "print('alive')"
    )
    assert ended.stdout == "alive\n"
