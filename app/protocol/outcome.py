"""How a run ended, seen from the learner's side. A fault of ours is never one of these."""

from enum import StrEnum


class Outcome(StrEnum):
    FINISHED = "finished"
    RAISED = "raised"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_LIMIT = "output_limit"
    FORBIDDEN = "forbidden"
    CRASHED = "crashed"
    STOPPED = "stopped"
