"""Where Gradroom cannot run, the error says what to do."""

import os
import subprocess
import sys

import pytest

from bootstrap import libraries, machine
from bootstrap.report import SetupError


@pytest.mark.parametrize(("platform", "name"), [("darwin", "macOS"), ("win32", "Windows")])
def test_other_systems_are_sent_to_the_container(monkeypatch: pytest.MonkeyPatch, platform: str, name: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(SetupError, match=rf"this is {name}\. Use the container there: `docker compose up --build`"):
        machine.check()


def test_a_missing_venv_module_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(SetupError, match="apt-get install python3-venv"):
        machine.check_venv_module()


def test_a_missing_libseccomp_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(libraries, "loads", lambda name: name != "libseccomp.so.2")
    with pytest.raises(SetupError, match=r"lacks libseccomp\.so\.2\. On Debian and Ubuntu: apt-get install libseccomp2\n"):
        libraries.require()


def test_a_machine_that_has_everything_is_left_alone() -> None:
    assert libraries.missing() == []


def test_an_unknown_step_is_refused_in_words() -> None:
    answer = subprocess.run([sys.executable, "-m", "bootstrap", "everything"], capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert "there is no step named 'everything'" in answer.stderr
    assert "Traceback" not in answer.stderr
