"""A zygote seen from the runner: what happens when it ends."""

import asyncio
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.runner.zygotes import zygote_handle
from app.runner.zygotes.zygote_handle import ZygoteHandle
from app.runtimes.specs import SPECS
from tests.bare.runner import BARE_ZYGOTE
from tests.runner.zygotes.test_pool import FIRST_UID

FILES = 50_000


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that the uids of runs can pass through."""
    with tempfile.TemporaryDirectory(prefix="gradroom-zygote-") as name:
        os.chmod(name, 0o711)
        yield Path(name)


def test_what_a_zygote_leaves_is_removed_without_holding_up_the_loop(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zygote_handle, "COMMAND", BARE_ZYGOTE)

    async def scenario() -> None:
        zygote = ZygoteHandle(SPECS["torch"], folder, FIRST_UID, True, lambda _: None)
        await zygote.start()
        (own,) = folder.iterdir()
        scratch = own / "1"
        scratch.mkdir()
        for number in range(FILES):
            (scratch / str(number)).touch()
        zygote.stop()
        assert scratch.exists()  # stopping it returned first
        await zygote.cleared
        assert list(folder.iterdir()) == []

    asyncio.run(scenario())
