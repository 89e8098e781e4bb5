"""Which runtimes are installed in addition to PyTorch: those that EXTRAS names, and those installed before."""

from pathlib import Path

import pytest

from bootstrap import environment, pip
from bootstrap.report import SetupError
from bootstrap.stamp import Stamp


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what pip was asked to install. The pinned versions are those of the test."""
    asked: list[str] = []
    monkeypatch.setattr(pip, "install", lambda *arguments: asked.append(arguments[-1]))
    monkeypatch.setattr(pip, "compile_modules", lambda: None)
    monkeypatch.setattr(environment, "stamp_of", lambda name: Stamp(tmp_path / name, (tmp_path / "pins").read_text()))
    (tmp_path / "pins").write_text("1")
    monkeypatch.delenv("EXTRAS", raising=False)
    return asked


def test_nothing_is_installed_unless_it_is_asked_for(installed: list[str]) -> None:
    environment.install_extras()
    assert installed == []


def test_what_is_asked_for_is_installed_once(installed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXTRAS", "tensorflow, jax")
    environment.install_extras()
    environment.install_extras()
    assert installed == ["tensorflow-cpu", "jax"]


def test_what_was_installed_before_follows_the_pins(installed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXTRAS", "jax")
    environment.install_extras()
    monkeypatch.setenv("EXTRAS", "")
    (tmp_path / "pins").write_text("2")
    environment.install_extras()
    assert installed == ["jax", "jax"]


def test_an_unknown_extra_is_refused_with_those_that_there_are(installed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXTRAS", "dev,cobol")
    with pytest.raises(SetupError, match=r"no extra 'dev'\. There are: tensorflow, jax"):
        environment.install_extras()
    assert installed == []
