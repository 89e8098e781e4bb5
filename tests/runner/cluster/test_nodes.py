"""Which node gets the next order."""

from typing import Any

from app.protocol.load import NodeLoad
from app.protocol.owner import Owner
from app.runner.cluster.nodes import Nodes

ALICE, BOB = Owner("10.0.0.1", "alice"), Owner("10.0.0.1", "bob")


def nodes_of(**loads: dict[str, Any]) -> Nodes:
    nodes = Nodes()
    nodes.update(loads)
    for node in nodes:
        node.ask()
        usual: dict[str, Any] = {"build": "b", "accepts": True, "places": 2, "spares": 4, "runs": 0, "waiting": 0}
        node.answer(NodeLoad(**usual | {"warm": ["torch"], "installed": ["torch"]} | loads[node.name]), "b")
    return nodes


def choose(nodes: Nodes, owner: Owner = BOB, **more: Any) -> str | None:
    node = nodes.choose(owner, more.pop("runtime", "torch"), **more)
    return node.name if node else None


def test_a_larger_node_gets_more() -> None:
    assert choose(nodes_of(small={"runs": 1}, large={"runs": 6, "places": 16})) == "large"


def test_of_equally_full_nodes_the_one_with_more_spares_is_chosen() -> None:
    assert choose(nodes_of(a={"spares": 1}, b={"spares": 3}, c={"spares": 2})) == "b"


def test_what_was_sent_since_the_last_answer_counts() -> None:
    nodes = nodes_of(a={}, b={})
    node = nodes.get("a")
    assert node is not None
    with node.count(ALICE):
        assert choose(nodes) == "b"
    assert choose(nodes) == "b"  # its run has ended, but the node had a spare less since
    node.ask()
    node.answer(node.load, "b")  # type: ignore[arg-type]
    assert choose(nodes) == "a"


def test_a_learner_stays_where_unfinished_runs_are_also_those_that_another_web_process_sent() -> None:
    nodes = nodes_of(a={"runs": 9, "owners": [ALICE]}, b={})
    assert choose(nodes, ALICE) == "a"
    assert choose(nodes, BOB) == "b"
    assert choose(nodes, ALICE, avoided=["a"]) == "b"


def test_a_runtime_starts_on_a_second_node_only_when_the_first_is_full() -> None:
    installed: list[str] = ["torch", "jax"]
    warm = {"installed": installed, "warm": ["torch", "jax"]}
    nodes = nodes_of(a={**warm, "runs": 1}, b={"installed": installed}, c={})
    assert choose(nodes, runtime="jax") == "a"
    nodes = nodes_of(a={**warm, "runs": 2}, b={"installed": installed}, c={})
    assert choose(nodes, runtime="jax") == "b"


def test_who_drains_or_is_of_another_build_or_is_gone_gets_nothing() -> None:
    nodes = nodes_of(a={"accepts": False, "reason": "it drains"}, b={"build": "other"}, c={})
    assert choose(nodes) == "c"
    nodes.update(["a", "b"])
    assert choose(nodes) is None
    assert [node.problem for node in nodes] == ["it drains", "its build is other, and this web process has b"]
