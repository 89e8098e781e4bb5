"""The runtimes that there are: for each what the runner, its zygote and its children need to know of it before it is imported.

Runs in the runner, and in the zygote, which is sent the spec of its runtime. Nothing here imports a framework. What may be done before a
fork, and what only after it, is the runtime's own knowledge (app.runtimes.runtime.Runtime).
"""

from importlib.util import find_spec

import msgspec

from app.protocol.run import RuntimeName


class RuntimeSpec(msgspec.Struct, frozen=True, kw_only=True):
    """`module`: the framework's, which is there if the runtime is installed. `maker`: module:class of the Runtime that a zygote makes.

    `extra`: the project's extra that installs it; None: every installation has it. `environment`: variables of its zygotes besides those
    of all zygotes. `reads`: files of /proc/self that the framework reads in a child, which a child may read none of otherwise.
    `memory_bytes`, `threads`: what a run gets besides its limits, because the framework takes so much for itself.
    """

    name: RuntimeName
    module: str
    maker: str
    extra: str | None = None
    environment: dict[str, str] = {}
    reads: tuple[str, ...] = ()
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
            environment={"CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3"},
            reads=("/proc/self/cmdline",),
        ),
        RuntimeSpec(
            name="jax",
            module="jax",
            maker="app.runtimes.jax.jax_runtime:JaxRuntime",
            extra="jax",
            environment={"JAX_PLATFORMS": "cpu"},
        ),
    )
}
