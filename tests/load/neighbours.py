"""Measures how long two learners wait while others attack the server, and how much of this remains afterwards.

    python -m tests.load.neighbours [WORD ...] [--together] [--seconds N]

One learner is at the attackers' address, the other elsewhere. Each attack of `tests.load.attacks` (all of them, or those whose names
contain a word) gets a server of its own on loopback, with the settings that it names; with --together all attack one server with default
settings. Prints JSON and ends, with status 1 if a learner was refused anything, or waited too long (`MOST_TIMES`).
"""

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from typing import Any

from tests.bench.figures import ratio, say
from tests.bench.footprint import mebibytes, name_of
from tests.bench.processes import descendants, pss_bytes
from tests.bench.server import Server, serve
from tests.load.attack_process import attacked_by, find_attack
from tests.load.attacks.attack import CLASS_ADDRESS, names
from tests.load.neighbour import DRAFT, NO_COOKIE, RUN, RUN_ANEW, RUN_EVERY_SECONDS, Neighbour

PROGRAM = "print(1)"
SAME, ELSEWHERE = "same_address", "elsewhere"
ADDRESS_ELSEWHERE = "127.0.0.3"
MOST_TIMES = {SAME: 30.0, ELSEWHERE: 10.0}  # the factors by which waits may exceed the 95th percentile of a quiet run
BOUNDED = (RUN, RUN_ANEW, DRAFT)  # the requests whose waits are limited
LEAD_SECONDS = 3.0  # an attack lasts for so long before the first wait is measured
REST_SECONDS = 15.0  # after an attack, before the rest is measured

Figures = dict[str, dict[str, Any]]  # by neighbour and by kind of request


def measure_memory(server: Server) -> dict[str, float | None]:
    """Return the memory of web and of the runner, in MiB."""
    halves = {"app.cli web": "web", "app.cli runner": "runner"}
    found = {half: pid for pid in descendants(server.pid) for words, half in halves.items() if words in name_of(pid)}
    return {half: mebibytes(pss_bytes(pid)) for half, pid in found.items()}


async def measure_neighbours(neighbours: Mapping[str, Neighbour], seconds: float) -> Figures:
    """Measure all neighbours at once, so that the runs of one come between those of the other."""
    delay_seconds = RUN_EVERY_SECONDS / len(neighbours)
    measuring = [one.measure(seconds, number * delay_seconds) for number, one in enumerate(neighbours.values())]
    return dict(zip(neighbours, await asyncio.gather(*measuring), strict=True))


async def measure(attacks: Sequence[str], seconds: float, address: str, program: str, settings: Mapping[str, str]) -> dict[str, Any]:
    """Measure a quiet time, an attack from an address, and the time after it, on a server that this starts. Raises ServerError."""
    with serve(settings) as server:
        async with AsyncExitStack() as stack:
            addresses = {SAME: address, ELSEWHERE: ADDRESS_ELSEWHERE}
            neighbours = {who: await stack.enter_async_context(Neighbour(server, at, program)) for who, at in addresses.items()}
            await measure_neighbours(neighbours, 2.0)
            before = measure_memory(server)
            quiet = await measure_neighbours(neighbours, seconds / 2)
            with ExitStack() as attackers:
                figures = {name: attackers.enter_context(attacked_by(name, server)) for name in attacks}
                await asyncio.sleep(LEAD_SECONDS)
                attacked = await measure_neighbours(neighbours, seconds)
                during = measure_memory(server)
            await asyncio.sleep(REST_SECONDS)
            after = await measure_neighbours(neighbours, 2.0)
        memory = {"before": before, "during": during, "after": measure_memory(server)}
    return assess(quiet, attacked) | {"attacks": figures, "quiet": quiet, "attacked": attacked, "after": after, "memory_mib": memory}


def assess(quiet: Figures, attacked: Figures) -> dict[str, Any]:
    """Return how many times longer requests took than a quiet run, by their 95th percentiles, and which were refused.

    `holds`: whether that is within bounds. A newcomer at the address of a flood without cookies cannot be distinguished from it, and may be
    refused (docs/decisions/0044).
    """
    times = {
        who: {kind: ratio(found.get("p95_ms"), quiet[who][RUN]["p95_ms"]) for kind, found in kinds.items()}
        for who, kinds in attacked.items()
    }
    refused = {who: {kind: found["refused"] for kind, found in kinds.items() if found["refused"]} for who, kinds in attacked.items()}
    cookieless = {kind: reasons for kind, reasons in refused[SAME].items() if set(reasons) == {NO_COOKIE}}
    within = [(times[who].get(kind) or float("inf")) <= most for who, most in MOST_TIMES.items() for kind in BOUNDED]
    return {
        "holds": all(within) and not refused[ELSEWHERE] and refused[SAME] == cookieless,
        "p95_to_p95_of_quiet_run": times,
        "refused": refused,
    }


def measure_alone(name: str, seconds: float) -> dict[str, Any]:
    """Measure one attack. Its module may define its address, what learners run meanwhile, and the server's settings."""
    module = find_attack(name)
    address, program = getattr(module, "SOURCE", CLASS_ADDRESS), getattr(module, "NEIGHBOUR", PROGRAM)
    return asyncio.run(measure([name], seconds, address, program, getattr(module, "SETTINGS", {})))


def measure_together(attacks: Sequence[str], seconds: float) -> dict[str, Any]:
    return asyncio.run(measure(attacks, seconds, CLASS_ADDRESS, PROGRAM, {}))


def say_result(name: str, result: dict[str, Any]) -> None:
    """Print a few lines: the waits, as 95th percentiles, and what was refused."""
    say(f"{name}: {'holds' if result['holds'] else 'FAILS'}; {result['attacks']}")
    for who in MOST_TIMES:
        waits = (f"{kind} {found.get('p95_ms', '–')}" for kind, found in result["attacked"][who].items())
        say(f"    {who}: quiet run {result['quiet'][who][RUN]['p95_ms']}; {', '.join(waits)} ms; refused {result['refused'][who]}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.load.neighbours", description="Measure what attackers do to learners.")
    parser.add_argument("words", nargs="*", metavar="WORD", help="of the names of the attacks; default: all of them")
    parser.add_argument("--together", action="store_true", help="all at once, on one server")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each attack is measured")
    given = parser.parse_args()
    attacks = [name for name in names() if not given.words or any(word in name for word in given.words)]
    if not attacks:
        parser.error(f"no attack is called so; there are {', '.join(names())}")
    report: dict[str, Any] = {"load_at_start": os.getloadavg()}
    if given.together:
        report["together"] = measure_together(attacks, given.seconds)
        say_result("together", report["together"])
    else:
        for name in attacks:
            report[name] = measure_alone(name, given.seconds)
            say_result(name, report[name])
    print(json.dumps(report, indent=2))
    return 0 if all(result["holds"] for result in report.values() if isinstance(result, dict)) else 1


if __name__ == "__main__":
    sys.exit(main())
