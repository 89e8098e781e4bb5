"""Lets two learners' programs try to exchange bits by every known channel, and prints as JSON how many bits a second each carries.

    python -m tests.sandbox.exchange [--minutes 10] [--only TEXT] [--outside] [--as-user]

    --outside   use plain processes instead of the sandbox, to see what the channels could carry
    --as-user   run as an ordinary user (needs root), so that runs share a uid

Each channel is tried with slots of several lengths; the one that carried most is reported. Ends with status 1 if a channel passes bits that
should be closed.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from app.protocol.sandbox import RunnerStatus
from tests.programs import running_programs
from tests.sandbox.exchange.channel import Channel, Passed, load_channels
from tests.sandbox.exchange.trial import HEAD_START_SECONDS, Closed, try_in_runner, try_outside
from tests.sandbox.ordinary_user import become_ordinary_user

SLOTS_SECONDS = (0.2, 0.05, 0.01, 0.002)
LEAST_SECONDS, MOST_SECONDS = 1.0, 30.0

Try = Callable[[Channel, float, float], Passed]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.sandbox.exchange")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--only", default="")
    parser.add_argument("--outside", action="store_true")
    parser.add_argument("--as-user", action="store_true")
    options = parser.parse_args()
    if options.as_user:
        become_ordinary_user()
    channels = [channel for channel in load_channels() if options.only in channel.name]
    share = options.minutes * 60 / (len(channels) * len(SLOTS_SECONDS)) - HEAD_START_SECONDS
    seconds = min(MOST_SECONDS, max(LEAST_SECONDS, share))
    if options.outside:
        report({"where": "outside"}, channels, try_outside, seconds)
        return
    os.environ |= {"GRADROOM_LOG_LEVEL": "error", "GRADROOM_CONCURRENCY": str(max(2, os.cpu_count() or 2))}
    with running_programs() as programs:
        status = programs.status()
        leaks = report(describe(status), channels, lambda *what: try_in_runner(programs, *what), seconds)
    sys.exit(1 if leaks else 0)


def describe(status: RunnerStatus) -> dict[str, Any]:
    assert status.sandbox is not None
    return {"where": status.sandbox.setting, "layers": [layer.name for layer in status.sandbox.layers if layer.active]}


def report(where: dict[str, Any], channels: list[Channel], attempt: Try, seconds: float) -> list[str]:
    """Print what each channel carries. Return the names of those that should be closed and are not."""
    found = [measure(channel, attempt, seconds) for channel in channels]
    print(json.dumps(where | {"seconds_for_each_slot_length": round(seconds, 1), "channels": found}, indent=1))
    wrong = [one["channel"] for one in found if one["passes"] and one["expected"] == "closed"]
    return [name for name in wrong if not next(channel.unless for channel in channels if channel.name == name)]


def measure(channel: Channel, attempt: Try, seconds: float) -> dict[str, Any]:
    found: dict[str, Any] = {"channel": channel.name, "by": channel.by, "expected": channel.expected, "passes": False}
    best: Passed | None = None
    for slot_seconds in SLOTS_SECONDS:
        try:
            passed = attempt(channel, slot_seconds, seconds)
        except Closed as closed:
            found["refused"] = str(closed)
            break
        print(f"{channel.name}: slots of {slot_seconds} s, {passed.errors} errors in {passed.bits} bits", file=sys.stderr, flush=True)
        if best is None or (passed.passes, passed.bits_per_second) > (best.passes, best.bits_per_second):
            best = passed
    if best is not None:
        found |= {
            "passes": best.passes,
            "error_rate": round(best.error_rate, 3),
            "slot_seconds": best.slot_seconds,
            "bits_tried": best.bits,
        }
        found |= {"bits_per_second": round(best.bits_per_second, 2) if best.passes else 0}
    return found


if __name__ == "__main__":
    main()
