"""Read DOT text in plain Python: a small parser of the Graphviz language, for text that nobody vouches for.

Runs in the child. Graphviz's own parser is native code that hostile labels can crash, so it is not used to look at a graph. The
grammar is https://graphviz.org/doc/info/lang.html; HTML-like labels are kept as plain text.
"""

import itertools
import re
from dataclasses import dataclass, field

SUBGRAPH_DEPTH = 40
EDGES = 250_000

_TOKEN = re.compile(
    r"""
    (?: \s | //[^\n]* | /\*.*?\*/ | ^\#[^\n]* )*+
    (?: ([{}\[\];,=:+] | -> | -- )
      | ("(?:[^"\\]|\\.)*+" | -?(?:\.\d+|\d+(?:\.\d*)?) | [^\W\d]\w* )
      | (<)
      | (\Z) )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_SIGN, _ID, _HTML, _END = 1, 2, 3, 4  # the groups above, and the kinds of tokens
_KEYWORD = 5
_KEYWORDS = frozenset(("node", "edge", "graph", "digraph", "subgraph", "strict"))
_LABEL_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class DotError(ValueError):
    """The text is not in the DOT language."""


Token = tuple[int, str, int, int]  # kind, text (of an id its value, unquoted), start, end


@dataclass(slots=True)
class DotNode:
    """A node with the attributes that its statements and the defaults give it."""

    name: str  # its id in the text
    attributes: dict[str, str]
    colours: set[str] = field(default_factory=set)  # every fillcolor it was given: the last one hides the others

    def label(self, name: str) -> str:
        """The label as plain text with real line breaks; `name` is what the node is to be called in it."""
        label = self.attributes.get("label", r"\N")
        if "\\" not in label:
            return label
        meanings = {"n": "\n", "l": "\n", "r": "\n", "N": name}
        return _LABEL_ESCAPE.sub(lambda match: meanings.get(match[1], match[1]), label)


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


def scan(text: str) -> list[Token]:
    """The tokens of DOT text, an end last; raises DotError."""
    tokens: list[Token] = []
    position, match_at = 0, _TOKEN.match
    while True:
        match = match_at(text, position)
        if match is None:
            raise DotError(f"unexpected text after character {position}")
        kind = match.lastindex or _END
        start, position = match.span(kind)
        value = match[kind]
        if kind == _HTML:
            position = html_end(text, start)
            kind, value = _ID, text[start:position]
        elif kind == _ID:
            if value[0] == '"':
                value = value[1:-1]
                if "\\" in value:
                    value = value.replace('\\"', '"').replace("\\\n", "")
            elif value.lower() in _KEYWORDS:
                kind, value = _KEYWORD, value.lower()
        tokens.append((kind, value, start, position))
        if kind == _END:
            return tokens


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
        self._next = 0
        self._graph = DotGraph()

    def parse(self) -> DotGraph:
        self._skip("strict", _KEYWORD)
        if not (self._skip("digraph", _KEYWORD) or self._skip("graph", _KEYWORD)):
            raise DotError("a graph begins with graph or digraph")
        if self._tokens[self._next][0] == _ID:
            self._id()
        self._block({}, {}, 0)
        return self._graph

    def _skip(self, word: str, kind: int = _SIGN) -> bool:
        token = self._tokens[self._next]
        if token[1] == word and token[0] == kind:
            self._next += 1
            return True
        return False

    def _id(self) -> Token:
        token = self._tokens[self._next]
        if token[0] != _ID:
            raise DotError(f"expected a name at character {token[2]}")
        self._next += 1
        while self._skip("+"):  # "a" + "b" is one string
            part = self._id()
            token = (_ID, token[1] + part[1], token[2], part[3])
        return token

    def _block(self, node_defaults: dict[str, str], edge_defaults: dict[str, str], depth: int) -> list[str]:
        """The statements between braces; returns the ids of the nodes named in them."""
        if depth > SUBGRAPH_DEPTH:
            raise DotError("subgraphs are nested too deeply")
        if not self._skip("{"):
            raise DotError(f"expected {{ at character {self._tokens[self._next][2]}")
        named: list[str] = []
        node_defaults, edge_defaults = dict(node_defaults), dict(edge_defaults)
        while not self._skip("}"):
            if not (self._skip(";") or self._skip(",")):
                named += self._statement(node_defaults, edge_defaults, depth)
        return named

    def _statement(self, node_defaults: dict[str, str], edge_defaults: dict[str, str], depth: int) -> list[str]:
        kind, word = self._tokens[self._next][:2]
        if kind == _KEYWORD and word in ("node", "edge", "graph"):
            self._next += 1
            {"node": node_defaults, "edge": edge_defaults}.get(word, {}).update(self._attributes())
            return []
        return self._chain(node_defaults, edge_defaults, depth)

    def _chain(self, node_defaults: dict[str, str], edge_defaults: dict[str, str], depth: int) -> list[str]:
        """A node, an edge over several ends, or an assignment `name = value`."""
        is_block = self._at_block()
        first = self._end(node_defaults, edge_defaults, depth)
        if not is_block and self._skip("="):
            self._id()
            self._graph.mentions.pop()
            return []
        ends = [first]
        while self._skip("->") or self._skip("--"):
            ends.append(self._end(node_defaults, edge_defaults, depth))
        attributes = self._attributes()
        if len(ends) == 1:
            if not is_block:
                self._node(first[0], node_defaults, attributes)
            return first
        named = [name for end in ends for name in end]
        for name in named:
            self._node(name, node_defaults, {})
        merged = {**edge_defaults, **attributes}
        for sources, targets in itertools.pairwise(ends):
            if len(self._graph.edges) + len(sources) * len(targets) > EDGES:
                raise DotError("too many edges")
            self._graph.edges += [DotEdge(source, target, merged) for source in sources for target in targets]
        return named

    def _at_block(self) -> bool:
        return self._tokens[self._next][:2] in ((_KEYWORD, "subgraph"), (_SIGN, "{"))

    def _end(self, node_defaults: dict[str, str], edge_defaults: dict[str, str], depth: int) -> list[str]:
        """One end of an edge: a node with an optional port, or a subgraph."""
        if self._at_block():
            if self._skip("subgraph", _KEYWORD) and self._tokens[self._next][0] == _ID:
                self._id()
            return self._block(node_defaults, edge_defaults, depth + 1)
        _, name, start, end = self._id()
        self._graph.mentions.append((start, end, name))
        for _ in range(2):
            if self._skip(":"):
                self._id()
        return [name]

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
                name = self._id()[1]
                attributes[name] = self._id()[1] if self._skip("=") else "true"
                if not self._skip(","):
                    self._skip(";")
        return attributes
