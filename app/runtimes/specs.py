"""The list of runtimes, each with what the runner and a zygote need to know of it before the framework is imported.

Runs in the runner, which sends each zygote its spec. Nothing here imports a framework.
"""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import msgspec

from app.protocol.limits import MEBIBYTE
from app.protocol.run import RuntimeName

_COMPILER_THREADS = 24  # XLA starts 13 to 20 when it compiles for the first time, and more on machines with many processors


class RuntimeSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One runtime. It counts as installed if the framework's `module` is installed.

    `maker` is the "module:class" of its Runtime. `extra` is the extra of this project that installs the framework, None if every
    installation has it. `environment` has variables for this runtime's zygotes, added to those of all zygotes. `memory_bytes` and `threads`
    are what the framework itself needs. They are added to a run's limits.
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
        """Whether the module can be imported; it is not imported. A folder of this name that is not a package does not count."""
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
            # without oneDNN's operations, sums are rounded alike on all machines
            environment={"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"},
            memory_bytes=64 * MEBIBYTE,
            threads=_COMPILER_THREADS,
        ),
        RuntimeSpec(
            name="jax",
            module="jax",
            maker="app.runtimes.jax.jax_runtime:JaxRuntime",
            extra="jax",
            # NPROC: the number of processors for which XLA makes thread pools; the runtime sets it again for each run. XLA_FLAGS:
            # multiply matrices without YNNPACK, which prints an error because it cannot read /proc/cpuinfo.
            environment={"JAX_PLATFORMS": "cpu", "NPROC": "1", "XLA_FLAGS": "--xla_cpu_experimental_ynn_fusion_type="},
            memory_bytes=64 * MEBIBYTE,
            threads=_COMPILER_THREADS,
        ),
    )
}


def list_specs(environment: Mapping[Any, str]) -> tuple[RuntimeSpec, ...]:
    """Return all specs, with the variables of `environment` added to each."""
    return tuple(msgspec.structs.replace(spec, environment={**spec.environment, **environment}) for spec in SPECS.values())
