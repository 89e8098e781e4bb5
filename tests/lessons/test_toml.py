import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.lessons.toml.toml import TomlError, parse_toml

SAMPLE = '''\
# a comment
minutes = 5 # [not a table]
title.en = "a"
title.zh-Hans = "b"

[[cell]]
id = "a"
after = [
  "x", # ]
  "y", "z",
  """
m""",
]
[cell.shows]
text = """
[cell]
id = 3
"""
[[cell.shows.graph]]
nodes = 1
[[cell.shows.graph]]
nodes = 2
[[cell]]
graph = [{ nodes = 1 }]
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("minutes",), 2),
        (("title", "en"), 3),
        (("title", "zh-Hans"), 4),
        (("cell", 0), 6),
        (("cell", 0, "after"), 8),
        (("cell", 0, "after", 0), 9),
        (("cell", 0, "after", 2), 10),
        (("cell", 0, "shows"), 14),
        (("cell", 0, "shows", "text"), 15),
        (("cell", 0, "shows", "graph", 0, "nodes"), 20),
        (("cell", 0, "shows", "graph", 1), 21),
        (("cell", 1), 23),
        (("cell", 1, "graph", 0, "nodes"), 24),
        (("cell", 1, "missing"), 23),
        (("missing",), 1),
    ],
)
def test_everything_is_found_on_its_line(path: tuple[str | int, ...], line: int) -> None:
    assert parse_toml(SAMPLE).line(path) == line


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a = ", 1, "Invalid value"),
        ("a = [1,\n2", 2, "Unclosed array"),
        ("a = 1\na = 2", 2, "Cannot overwrite a value"),
        ("\n\n=", 3, "Invalid statement"),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(TomlError) as raised:
        parse_toml(text)
    assert (raised.value.line, raised.value.message) == (line, message)


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["", "# x", "k{n} = 1", 'k{n} = """\n[a]\n"""', "[t{n}]", "[[cell]]", "k{n} = [\n1,\n2\n]", "k{n}.a = {{ b = 1 }}"])
    )
)
def test_any_order_of_statements_gives_every_key_its_line(statements: list[str]) -> None:
    text = "\n".join(statement.format(n=number) for number, statement in enumerate(statements))
    toml = parse_toml(text)
    lines = text.split("\n")
    for path, line in toml.lines.items():
        key = next(step for step in reversed(path) if isinstance(step, str))
        if isinstance(path[-1], str):
            assert key in lines[line - 1]
