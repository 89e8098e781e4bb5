"""Every table of runtimes has the names of the protocol, and a missing framework is found without an import."""

import sys
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from app.protocol.instrument_facts import INSTRUMENTS
from app.protocol.run import RuntimeName
from app.runtimes.specs import SPECS

NAMES = get_args(RuntimeName)


def test_every_runtime_that_can_be_named_has_a_spec_and_a_list_of_instruments() -> None:
    assert tuple(SPECS) == NAMES
    assert tuple(INSTRUMENTS) == NAMES


def test_torch_is_installed_and_no_extra_is_needed_for_it() -> None:
    assert SPECS["torch"].installed
    assert SPECS["torch"].extra is None


def test_a_framework_that_cannot_be_found_is_not_installed_and_a_plain_folder_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "nothingflow").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert not msgspec.structs.replace(SPECS["jax"], module="no_such_framework").installed
    assert not msgspec.structs.replace(SPECS["jax"], module="nothingflow").installed
    assert "nothingflow" not in sys.modules
