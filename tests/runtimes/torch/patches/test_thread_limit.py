"""PyTorch's threads are bounded by what the run may use."""

import pytest

from tests.runtimes.children import Children


@pytest.mark.parametrize(("name", "allowed"), [("set_num_threads", 1), ("set_num_threads", 2), ("set_num_interop_threads", 1)])
def test_more_threads_than_allowed_are_clamped_with_a_warning(children: Children, name: str, allowed: int) -> None:
    ended = children.run(
        f"import torch, warnings\ntorch.{name}(512)\nprint(torch.{name.replace('set', 'get')}(), torch.{name}.__name__)", threads=allowed
    )
    assert ended.stdout == f"{allowed} {name}\n"
    assert f"<source>:2: UserWarning: torch.{name}(512): a run may use {allowed} here" in ended.stderr


def test_what_is_allowed_passes_and_nonsense_is_pytorchs_to_refuse(children: Children) -> None:
    ended = children.run("import torch\ntorch.set_num_threads(2)\nprint(torch.get_num_threads())\ntorch.set_num_threads('many')", threads=2)
    assert (ended.stdout, ended.stderr, ended.error.type) == ("2\n", "", "RuntimeError")


def test_a_run_starts_with_the_threads_it_was_given(children: Children) -> None:
    assert children.run("import torch\nprint(torch.get_num_threads())", threads=2).stdout == "2\n"
