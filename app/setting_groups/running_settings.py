"""Settings of runs: how many at once, the processes that wait for them, the queue, and what one run may use."""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, field_validator
from pydantic_settings import NoDecode

from app.machine import count_cores
from app.protocol.limits import MEBIBYTE

# the variables by which libraries choose among the processor's instructions
ProcessorVariable = Literal[
    "ATEN_CPU_CAPABILITY",
    "GLIBC_TUNABLES",
    "MKL_CBWR",
    "NPY_DISABLE_CPU_FEATURES",
    "ONEDNN_MAX_CPU_ISA",
    "OPENBLAS_CORETYPE",
    "XLA_FLAGS",
]
Processor = Annotated[dict[ProcessorVariable, str], NoDecode]  # in the environment as JSON


class RunningSettings(BaseModel):
    """Places, zygotes, the queue, and the limits of a run whose lesson asks for no others."""

    concurrency: int = Field(default_factory=count_cores, ge=1, le=256, description="Runs executed at the same time; default: the cores.")
    concurrency_per_learner: int | None = Field(
        default=None,
        ge=1,
        le=256,
        description="Runs of one learner that may have begun and not ended; default: one less than all, and at least one.",
    )
    quantum_seconds: float = Field(
        default=0.25, ge=0.02, le=10, description="Seconds that a learner may use more than others before its run is paused for theirs."
    )
    begun_runs: int | None = Field(
        default=None,
        ge=1,
        le=512,
        description="Runs of the usual size that may have begun and not ended; default: 64, but never more than fit in memory.",
    )
    spares: int = Field(
        default_factory=lambda: count_cores() + 2, ge=0, le=512, description="Confined children that wait for a run; default: cores + 2."
    )
    zygote_runs: int = Field(
        default=5000,
        ge=10,
        le=1_000_000,
        description="Children that one zygote forks before a new one, with another memory layout, follows.",
    )
    zygote_seconds: float = Field(default=3600, ge=10, le=604_800, description="Seconds that one zygote serves before a new one follows.")
    zygote_early: bool = Field(
        default=True,
        description="Start with a zygote that is ready sooner; one with optimizers, transforms and figures loaded follows at once.",
    )
    zygote_processor: Processor = Field(
        default={},
        description="For tests, as JSON: variables that make the libraries of zygotes compute as on another processor; "
        "no others are allowed.",
    )
    queue_runs: int = Field(default=200, ge=1, le=10_000, description="Runs that may wait, overall.")
    queue_runs_per_learner: int = Field(default=5, ge=1, le=10_000, description="Runs that may wait for one learner.")
    queue_runs_per_address: int = Field(
        default=100, ge=1, le=10_000, description="Runs that may wait for one network address (a classroom)."
    )
    deadline_seconds: float = Field(
        default=10, gt=0, le=60, description="Wall and processor time of one run, unless its lesson requests more."
    )
    memory_bytes: int = Field(
        default=512 * MEBIBYTE, ge=64 * MEBIBYTE, le=16_384 * MEBIBYTE, description="Memory of one run in addition to its zygote's."
    )
    output_bytes: int = Field(default=MEBIBYTE, ge=1024, le=64 * MEBIBYTE, description="Standard output and error of one run.")
    records_bytes: int = Field(default=4 * MEBIBYTE, ge=1024, le=64 * MEBIBYTE, description="All records of one run together.")
    scratch_bytes: int = Field(default=64 * MEBIBYTE, ge=MEBIBYTE, le=4096 * MEBIBYTE, description="Files of one run.")
    scratch_inodes: int = Field(default=4096, ge=16, le=1_000_000, description="Number of files and folders of one run.")
    threads: int = Field(default=64, ge=4, le=1024, description="Threads of one run.")
    compute_threads: int = Field(default=1, ge=1, le=64, description="Threads with which PyTorch computes in one run.")
    graph_nodes: int = Field(default=2000, ge=10, le=20_000, description="The most nodes of a graph that is drawn whole.")
    layout_seconds: float = Field(default=5, gt=0, le=60, description="Time to lay out and draw all graphs of one run together.")
    lesson_factor: float = Field(
        default=2,
        ge=1,
        le=16,
        description="Factor by which a lesson may exceed these limits; its deadline may be up to 60 seconds in any case.",
    )

    @field_validator("zygote_processor", mode="before")
    @classmethod
    def parse_variables(cls, value: Any) -> Any:
        return json.loads(value) if isinstance(value, str) else value
