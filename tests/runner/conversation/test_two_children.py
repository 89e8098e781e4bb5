"""One task converses with two children of one zygote at once, in turns; one of them is hostile, and the other does not notice."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from app.protocol.channel import Begun, Execute, Over, Shown, Touch, Touched
from app.protocol.event import Stdout
from app.protocol.limits import Limits
from app.protocol.records.graph import GraphRecord
from app.protocol.records.registry import decode_record
from app.protocol.run import Program, Source
from app.runner.conversation.conversation import Caps, Conversation, Cut
from app.runner.runs.run_children import budget_of
from app.runner.zygotes import zygote_handle
from app.runner.zygotes.zygote_handle import ZygoteHandle
from app.runtimes.specs import SPECS
from app.settings import load_settings
from tests.bare.gradroom import BARE_ZYGOTE
from tests.patience import PATIENCE_SECONDS

CAPS = Caps(all_bytes=1 << 20, output_bytes=1 << 16, seconds=PATIENCE_SECONDS)
HOSTILE = {
    "nonsense": ("import os\nwhile True: os.write(3, b'nonsense')", {Cut.MALFORMED, Cut.TOO_MUCH}),
    "a giant": ("import os\nos.write(3, b'\\xff' * 4096)\nwhile True: pass", {Cut.TOO_MUCH}),
    "a flood": ("while True: print('x' * 1000)", {Cut.TOO_MUCH}),
    "silence": ("import os\nos.close(3)\nwhile True: pass", {Cut.GONE}),
    "an early end": ("import os\nos._exit(0)", {Cut.GONE}),
}
FRIENDLY = "for step in range(200): print(step)\nshow_graph()"


@asynccontextmanager
async def two_conversations(zygote: ZygoteHandle, first_slot: int) -> AsyncIterator[tuple[Conversation, Conversation]]:
    uid = load_settings().first_uid
    children = [zygote.fork(slot, uid + 1 + slot, budget_of(Limits())) for slot in (first_slot, first_slot + 1)]
    await asyncio.gather(*(child.ready for child in children))
    hostile, friendly = (Conversation(child, CAPS, final=Over) for child in children)
    yield hostile, friendly
    for child in children:
        child.kill()
        child.close()


def test_two_children_are_talked_to_at_once_and_one_is_hostile(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """This holds for each way to be hostile."""
    monkeypatch.setattr(zygote_handle, "COMMAND", BARE_ZYGOTE)

    async def converse(zygote: ZygoteHandle, number: int, source: str, ends: set[Cut]) -> None:
        async with two_conversations(zygote, 2 * number) as (hostile, friendly):
            heard = {hostile: aiter(hostile), friendly: aiter(friendly)}
            for conversation in heard:  # two exchanges with each, in turns
                conversation.send(Touch())
            assert [await anext(items) for items in heard.values()] == [Touched(), Touched()]
            for conversation, text in ((hostile, source), (friendly, FRIENDLY)):
                conversation.send(Execute(program=Program(source=Source(text=text))))
            assert isinstance(await anext(heard[friendly]), Begun)
            said, _ = await asyncio.gather(collect(heard[friendly]), collect(heard[hostile]))
            assert "".join(item.text for item in said if isinstance(item, Stdout)) == "".join(f"{step}\n" for step in range(200))
            (shown,) = (decode_record(item.record) for item in said if isinstance(item, Shown))
            assert isinstance(shown, GraphRecord) and shown.id == "graph-1"
            assert (said[-1], friendly.end) == (Over(ending="finished"), None)
            assert hostile.end in ends, source

    async def scenario() -> None:
        folder = tmp_path_factory.mktemp("zygote")
        for one in (folder, *folder.parents[:2]):
            one.chmod(0o711)
        zygote = ZygoteHandle(SPECS["torch"], folder, load_settings().first_uid, True, lambda _: None)
        try:
            await zygote.start()
            for number, (source, ends) in enumerate(HOSTILE.values()):
                await converse(zygote, number, source, ends)
        finally:
            zygote.stop()

    asyncio.run(scenario())


async def collect(items: AsyncIterator[object]) -> list[object]:
    async with asyncio.timeout(PATIENCE_SECONDS):
        return [item async for item in items]
