"""The names and versions in constraints.txt."""

import pytest

from bootstrap.lock import normal, public


@pytest.mark.parametrize(("name", "pinned"), [("Jinja2", "jinja2"), ("jupyter_client", "jupyter-client"), ("ruamel.yaml", "ruamel-yaml")])
def test_names_are_normal(name: str, pinned: str) -> None:
    assert normal(name) == pinned


def test_the_local_part_of_a_version_is_left_out() -> None:
    assert public("2.13.0+cpu") == "2.13.0"
