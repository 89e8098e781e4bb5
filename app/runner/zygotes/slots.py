"""The slots of children. A slot is a number that names a child to its zygote, and a uid that no other live child has."""

import asyncio
from collections import deque

from app.runner.conversation.child_handle import ChildHandle, ChildLost
from app.runner.zygotes.zygote_handle import ZygoteHandle
from app.sandbox.cgroups.cgroup import Groups
from app.sandbox.confinement.rlimits import Budget

_REAPED_SECONDS = 10.0  # a killed child must free its slot within this time, also on a busy machine


class Slots:
    """Forks children into free slots. A slot is free again only when its child has been reaped, or its zygote is gone."""

    def __init__(self, count: int, first_uid: int, groups: Groups) -> None:
        self.first_uid = first_uid
        self.groups = groups
        self._free = deque(range(count))  # first in, first out, so that each uid is reused as late as possible
        self._freed = asyncio.Event()

    async def until_free(self) -> None:
        """Wait until a slot is free. Raises ChildLost."""
        try:
            async with asyncio.timeout(_REAPED_SECONDS):
                while not self._free:
                    self._freed.clear()
                    await self._freed.wait()
        except TimeoutError:
            raise ChildLost("no free slot") from None

    def fork(self, zygote: ZygoteHandle, budget: Budget) -> ChildHandle:
        """Fork a child and return it before it is ready. Raises ChildLost."""
        if not zygote.alive:
            raise ChildLost("the zygote has ended")  # nobody would report the child's end
        if not self._free:
            raise ChildLost("no free slot")
        slot = self._free.popleft()
        try:
            child = zygote.fork(slot, self.first_uid + slot, budget, self.groups.enter(slot, budget))
        except OSError as error:
            self._give_back(slot)
            raise ChildLost(f"no channel or no control group for a child: {error}") from error
        child.exited.add_done_callback(lambda _: self._give_back(slot))
        return child

    def _give_back(self, slot: int) -> None:
        self._free.append(slot)
        self._freed.set()
