"""Read DOT text in plain Python: a small parser of the Graphviz language, for text that nobody vouches for.

Runs in the child. Graphviz's own parser is native code that hostile labels can crash, so it is not used to look at a graph. The
grammar is https://graphviz.org/doc/info/lang.html; HTML-like labels are kept as plain text.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

SUBGRAPH_DEPTH = 40

_TOKEN = re.compile(
    r"""
    (?P<blank>\s+ | //[^\n]* | /\*.*?\*/ | ^\#[^\n]*)
  | (?P<id>"(?:[^"\\]|\\.)*+" | -?(?:\.\d+|\d+(?:\.\d*)?) | [^\W\d]\w*)
  | (?P<arrow>->|--)
  | (?P<sign>[{}\[\];,=:+])
  | (?P<html><)
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_KEYWORDS = frozenset(("node", "edge", "graph", "digraph", "subgraph", "strict"))
_LABEL_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class DotError(ValueError):
    """The text is not in the DOT language."""


@dataclass(slots=True)
class Token:
    """A word of the language and where it stands."""

    kind: str  # "id", "keyword", "arrow", "sign" or "end"
    text: str  # of an id: its value, unquoted
    start: int
    end: int


@dataclass(slots=True)
class DotNode:
    """A node with the attributes that its statements and the defaults give it."""

    name: str  # its id in the text
    attributes: dict[str, str]
    colours: set[str] = field(default_factory=set)  # every fillcolor it was given: the last one hides the others


@dataclass(slots=True)
class DotEdge:
    """An edge as written, from left to right."""

    source: str
    target: str
    attributes: dict[str, str]


@dataclass(slots=True)
class DotGraph:
    """Nodes in the order in which they are first mentioned, and edges in the order of their statements."""

    nodes: dict[str, DotNode] = field(default_factory=dict)
    edges: list[DotEdge] = field(default_factory=list)
    mentions: list[tuple[int, int, str]] = field(default_factory=list)  # where node ids stand: start, end, id

    def label(self, node: DotNode) -> str:
        """A node's label as plain text with real line breaks."""
        label = node.attributes.get("label", r"\N")
        if "\\" not in label:
            return label
        meanings = {"n": "\n", "l": "\n", "r": "\n", "N": node.name}
        return _LABEL_ESCAPE.sub(lambda match: meanings.get(match[1], match[1]), label)


def scan(text: str) -> Iterator[Token]:
    """The tokens of DOT text, an `end` last; raises DotError."""
    position, match_at = 0, _TOKEN.match
    while position < len(text):
        match = match_at(text, position)
        if match is None:
            raise DotError(f"unexpected {text[position]!r} at character {position}")
        start, position = position, match.end()
        kind = match.lastgroup
        if kind == "blank":
            continue
        if kind == "id":
            value = match[0]
            if value[0] == '"':
                yield Token("id", value[1:-1].replace('\\"', '"').replace("\\\n", ""), start, position)
            else:
                yield Token("keyword" if value.lower() in _KEYWORDS else "id", value, start, position)
        elif kind == "html":
            position = html_end(text, start)
            yield Token("id", text[start:position], start, position)
        else:
            yield Token(kind or "", match[0], start, position)
    yield Token("end", "", position, position)


def html_end(text: str, start: int) -> int:
    """Where the HTML string that begins at `start` ends: at the matching bracket."""
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == "<") - (text[position] == ">")
        if depth == 0:
            return position + 1
    raise DotError("an HTML string is not closed")


def parse_dot(text: str) -> DotGraph:
    """The nodes and edges of one graph in DOT; raises DotError."""
    return _Parser(text).parse()


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = scan(text)
        self._token = next(self._tokens)
        self._graph = DotGraph()

    def parse(self) -> DotGraph:
        self._skip_keyword("strict")
        if not (self._skip_keyword("digraph") or self._skip_keyword("graph")):
            raise DotError("a graph begins with graph or digraph")
        if self._token.kind == "id":
            self._id()
        self._block({}, {}, 0)
        return self._graph

    def _advance(self) -> Token:
        token, self._token = self._token, next(self._tokens, self._token)
        return token

    def _skip(self, sign: str) -> bool:
        if self._token.kind in ("sign", "arrow") and self._token.text == sign:
            self._advance()
            return True
        return False

    def _skip_keyword(self, word: str) -> bool:
        if self._token.kind == "keyword" and self._token.text.lower() == word:
            self._advance()
            return True
        return False

    def _expect(self, sign: str) -> None:
        if not self._skip(sign):
            raise DotError(f"expected {sign!r} at character {self._token.start}")

    def _id(self) -> Token:
        if self._token.kind != "id":
            raise DotError(f"expected a name at character {self._token.start}")
        token = self._advance()
        while self._skip("+"):  # "a" + "b" is one string
            part = self._id()
            token = Token("id", token.text + part.text, token.start, part.end)
        return token

    def _block(self, node_defaults: dict[str, str], edge_defaults: dict[str, str], depth: int) -> list[str]:
        """The statements between braces; returns the ids of the nodes named in them."""
        if depth > SUBGRAPH_DEPTH:
            raise DotError("subgraphs are nested too deeply")
        self._expect("{")
        named: list[str] = []
        node_defaults, edge_defaults = dict(node_defaults), dict(edge_defaults)
        while not self._skip("}"):
            if self._skip(";") or self._skip(","):
                continue
            named += self._statement(node_defaults, edge_defaults, depth)
        return named

    def _statement(self, node_defaults: dict[str, str], edge_defaults: dict[str, str], depth: int) -> list[str]:
        if self._skip_keyword("node"):
            node_defaults.update(self._attributes())
            return []
        if self._skip_keyword("edge"):
            edge_defaults.update(self._attributes())
            return []
        if self._skip_keyword("graph"):
            self._attributes()
            return []
        return self._chain(node_defaults, edge_defaults, depth)

    def _chain(self, node_defaults: dict[str, str], edge_defaults: dict[str, str], depth: int) -> list[str]:
        """A node, an edge over several ends, or an assignment `name = value`."""
        is_block = self._at_block()
        first = self._end(node_defaults, edge_defaults, depth)
        if not is_block and self._skip("="):
            self._id()
            self._forget_mention(first[0])
            return []
        ends = [first]
        while self._skip("->") or self._skip("--"):
            ends.append(self._end(node_defaults, edge_defaults, depth))
        attributes = self._attributes()
        if len(ends) == 1 and not is_block:
            self._node(first[0], node_defaults, attributes)
        named = [name for end in ends for name in end]
        for name in named:
            self._node(name, node_defaults, {})
        if len(ends) > 1:
            merged = {**edge_defaults, **attributes}
            for sources, targets in itertools.pairwise(ends):
                self._graph.edges += [DotEdge(source, target, merged) for source in sources for target in targets]
        return named

    def _at_block(self) -> bool:
        token = self._token
        return (token.kind == "keyword" and token.text.lower() == "subgraph") or (token.kind == "sign" and token.text == "{")

    def _end(self, node_defaults: dict[str, str], edge_defaults: dict[str, str], depth: int) -> list[str]:
        """One end of an edge: a node with an optional port, or a subgraph."""
        if self._at_block():
            if self._skip_keyword("subgraph") and self._token.kind == "id":
                self._id()
            return self._block(node_defaults, edge_defaults, depth + 1)
        token = self._id()
        self._graph.mentions.append((token.start, token.end, token.text))
        for _ in range(2):
            if self._skip(":"):
                self._id()
        return [token.text]

    def _forget_mention(self, name: str) -> None:
        if self._graph.mentions and self._graph.mentions[-1][2] == name:
            self._graph.mentions.pop()

    def _node(self, name: str, defaults: dict[str, str], attributes: dict[str, str]) -> None:
        node = self._graph.nodes.get(name)
        if node is None:
            node = self._graph.nodes[name] = DotNode(name, dict(defaults))
        if attributes:
            node.attributes.update(attributes)
            if "fillcolor" in attributes:
                node.colours.add(attributes["fillcolor"])

    def _attributes(self) -> dict[str, str]:
        """Any number of `[name=value, …]` lists."""
        attributes: dict[str, str] = {}
        while self._skip("["):
            while not self._skip("]"):
                name = self._id().text
                attributes[name] = self._id().text if self._skip("=") else "true"
                if not self._skip(","):
                    self._skip(";")
        return attributes
