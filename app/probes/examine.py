"""Runs all probes on a call."""

from typing import NamedTuple

from app.probes.call import Call, ReadSource
from app.probes.observation import Observation


class Examination(NamedTuple):
    observations: list[Observation]
    held: list[str]
    not_judged: list[str]


def examine(call: Call, read_source: ReadSource, seconds: float) -> Examination:
    return Examination([], [], [])
