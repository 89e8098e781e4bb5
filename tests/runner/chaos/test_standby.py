"""A second zygote that is kept warm takes over at once, and another is kept warm after it."""

import pytest

from tests.patience import wait_for
from tests.runner.chaos.anatomy import gone, kill
from tests.runner.chaos.victim import Victim, running_victim

pytestmark = pytest.mark.timeout(300)  # several warm-ups each, on a busy machine
SPARES = 2


def keepers(victim: Victim) -> list[int]:
    return [one.keeper for one in victim.zygotes]


def wait_for_standby(victim: Victim) -> None:
    wait_for(lambda: victim.programs.status().zygotes == 2)


def test_the_standby_takes_over_when_the_zygote_dies() -> None:
    with running_victim(zygote_standby=True, spares=SPARES) as victim:
        wait_for_standby(victim)
        serving, standby = victim.zygotes
        kill(serving.zygote)
        wait_for(lambda: gone([serving.zygote]))
        victim.still_works()
        assert standby.keeper in keepers(victim)
        wait_for_standby(victim)
        assert keepers(victim)[0] == standby.keeper


def test_a_standby_that_dies_is_replaced_and_the_zygote_serves_on() -> None:
    with running_victim(zygote_standby=True, spares=SPARES) as victim:
        wait_for_standby(victim)
        serving, standby = victim.zygotes
        kill(standby.keeper)
        wait_for(lambda: gone([standby.keeper]))
        victim.still_works()
        wait_for_standby(victim)
        assert keepers(victim)[0] == serving.keeper
        assert victim.metric("gradroom_zygote_restarts") == 0
