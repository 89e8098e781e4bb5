"""The nodes that a web process knows, what it has sent to each, and which of them gets the next order."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

from app.protocol.load import NodeLoad
from app.protocol.owner import Owner
from app.protocol.run import RuntimeName


class Node:
    """A node as this process knows it. `problem`: why it gets no orders; None if it does.

    `load` is its last answer. Since then this process has sent it runs and seen others end, which `runs` and `spares` take into account.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.problem: str | None = "it has not answered yet"
        self.load: NodeLoad | None = None
        self.ours: dict[Owner, int] = {}  # runs of this process that have not ended, by owner
        self.sent = 0  # since `load` was asked for
        self._ours_then = self._asked = self._sent_before = 0

    @property
    def unfinished(self) -> int:
        """How many runs of this process have not ended."""
        return sum(self.ours.values())

    @property
    def runs(self) -> int:
        return max((self.load.runs if self.load else 0) + self.unfinished - self._ours_then, self.unfinished)

    @property
    def share(self) -> float:
        """How full the node would be with one more run; 1 means that each place is taken."""
        return (self.runs + 1) / max(self.load.places if self.load else 1, 1)

    @property
    def spares(self) -> int:
        return (self.load.spares if self.load else 0) - self.sent

    def ask(self) -> None:
        """Note what is known at the moment at which the node is asked for its load."""
        self._asked, self._sent_before = self.unfinished, self.sent

    def answer(self, load: NodeLoad, build: str) -> None:
        """Take over what the node answered. A node of another build gets no orders."""
        self.load = load
        self._ours_then = self._asked
        self.sent -= self._sent_before
        if load.build != build:
            self.problem = f"its build is {load.build}, and this web process has {build}"
        else:
            self.problem = None if load.accepts else load.reason or "it accepts no runs"

    @contextmanager
    def count(self, owner: Owner) -> Iterator[None]:
        """Count a run of this owner until the context is left."""
        self.ours[owner] = self.ours.get(owner, 0) + 1
        self.sent += 1
        try:
            yield
        finally:
            self.ours[owner] -= 1
            if not self.ours[owner]:
                del self.ours[owner]


class Nodes:
    """All nodes, by their names."""

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes.values())

    def get(self, name: str) -> Node | None:
        return self._nodes.get(name)

    def update(self, names: Iterable[str]) -> None:
        """Know these nodes and no others."""
        self._nodes = {name: self._nodes.get(name) or Node(name) for name in sorted(names)}

    @property
    def accepting(self) -> list[Node]:
        return [node for node in self if node.problem is None]

    def choose(self, owner: Owner, runtime: RuntimeName, avoided: Collection[str] = ()) -> Node | None:
        """Return the node for a run, or None if there is none besides those to be avoided.

        A learner's runs go where unfinished ones are, because the caps and the account of the learner are there.
        """
        nodes = [node for node in self.accepting if node.name not in avoided]
        home = next((node for node in nodes if owner in node.ours), None)
        home = home or next((node for node in nodes if node.load and owner in node.load.owners), None)
        if home:
            return home
        nodes = [node for node in nodes if node.load and runtime in node.load.installed] or nodes
        nodes = [node for node in nodes if node.load and runtime in node.load.warm and node.share <= 1] or nodes
        return min(nodes, key=lambda node: (node.share, -node.spares), default=None)
