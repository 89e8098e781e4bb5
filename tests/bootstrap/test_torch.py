"""From where PyTorch is installed."""

import sys
import urllib.error
from pathlib import Path

import pytest

from bootstrap import torch

TAG = f"cp{sys.version_info.major}{sys.version_info.minor}"


def refuse(*_: object, **__: object) -> None:
    raise urllib.error.URLError("no such host")


def test_the_cpu_index_is_an_extra_index_where_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "index_answers", lambda: True)
    assert torch.source_options("2.13.0") == ["--extra-index-url", torch.CPU_INDEX]


def test_a_wheel_at_hand_stands_in_for_the_index(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("urllib.request.urlopen", refuse)
    monkeypatch.setattr(torch, "mounted_folders", lambda: [tmp_path])
    (tmp_path / f"torch-2.13.0+cpu-{TAG}-{TAG}-manylinux_2_28_x86_64.whl").touch()
    assert torch.source_options("2.13.0") == ["--find-links", str(tmp_path)]


def test_without_either_the_registries_are_asked_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("urllib.request.urlopen", refuse)
    monkeypatch.setattr(torch, "mounted_folders", list)
    assert torch.source_options("2.13.0") == []
    said = capsys.readouterr().out
    assert "PyTorch's CPU index cannot be reached (no such host)" in said
    assert "taking what the configured registries offer" in said
