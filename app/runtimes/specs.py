"""The runtimes that there are: for each what the runner, its zygote and its children need to know of it before it is imported.

Runs in the runner, and in the zygote, which is sent the spec of its runtime. Nothing here imports a framework. What may be done before a
fork, and what only after it, is the runtime's own knowledge (app.runtimes.runtime.Runtime).
"""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import msgspec

from app.protocol.limits import MEBIBYTE
from app.protocol.run import RuntimeName

_COMPILER_THREADS = 24  # XLA starts 13 to 20 when it compiles for the first time, and more on machines with many processors


class RuntimeSpec(msgspec.Struct, frozen=True, kw_only=True):
    """`module`: the framework's, which is there if the runtime is installed. `maker`: module:class of the Runtime that a zygote makes.

    `extra`: the project's extra that installs it; None: every installation has it. `environment`: variables of its zygotes besides those
    of all zygotes. `memory_bytes`, `threads`: what a run gets besides its limits, because the framework takes so much for itself.
    """

    name: RuntimeName
    module: str
    maker: str
    extra: str | None = None
    environment: dict[str, str] = {}
    memory_bytes: int = 0
    threads: int = 0

    @property
    def installed(self) -> bool:
        """Looked up, not imported. A folder of the same name that holds no package does not count."""
        found = find_spec(self.module)
        return found is not None and found.origin is not None


SPECS: dict[RuntimeName, RuntimeSpec] = {
    spec.name: spec
    for spec in (
        RuntimeSpec(name="torch", module="torch", maker="app.runtimes.torch.torch_runtime:TorchRuntime"),
        RuntimeSpec(
            name="tensorflow",
            module="tensorflow",
            maker="app.runtimes.tensorflow.tensorflow_runtime:TensorFlowRuntime",
            extra="tensorflow",
            # without oneDNN's own operations, sums are rounded alike on all machines
            environment={"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"},
            memory_bytes=64 * MEBIBYTE,
            threads=_COMPILER_THREADS,
        ),
        RuntimeSpec(
            name="jax",
            module="jax",
            maker="app.runtimes.jax.jax_runtime:JaxRuntime",
            extra="jax",
            # NPROC: for how many processors XLA makes pools; the runtime sets it anew for each run. XLA_FLAGS: matrices are multiplied
            # without YNNPACK, which complains that it cannot read /proc/cpuinfo.
            environment={"JAX_PLATFORMS": "cpu", "NPROC": "1", "XLA_FLAGS": "--xla_cpu_experimental_ynn_fusion_type="},
            memory_bytes=64 * MEBIBYTE,
            threads=_COMPILER_THREADS,
        ),
    )
}


def list_specs(environment: Mapping[Any, str]) -> tuple[RuntimeSpec, ...]:
    """All of them, with these variables for each one's zygotes."""
    return tuple(msgspec.structs.replace(spec, environment={**spec.environment, **environment}) for spec in SPECS.values())
