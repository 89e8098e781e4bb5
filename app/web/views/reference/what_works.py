"""The data of the page "What works here".

The runner reports what programs can use. This module lists what they cannot use, and what to do instead.
"""

import re
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from app.locale.messages import Translate, mark
from app.protocol.limits import SOURCE_BYTES, Limits, mebibytes
from app.protocol.sandbox import RunnerStatus

RUNTIME_NAMES: dict[str, str] = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX"}
CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, kw_only=True)
class Unavailable:
    """Something that does not work. `program` tries it and fails.

    `instead` says what to do: here with code between backticks, for the page as HTML.
    """

    topic: str
    code: str
    program: str
    instead: str


UNAVAILABLE = (
    Unavailable(
        topic=mark("Installing packages"),
        code="!pip install einops",
        program="!pip install einops",
        instead=mark(
            "Use the libraries above. From a small library, paste the functions that you need. Lines with `!` or `%` are a notebook’s."
        ),
    ),
    Unavailable(
        topic=mark("Other libraries"),
        code="import torchvision",
        program="import torchvision",
        instead=mark("Build models from `torch.nn`, and make data with `torch.randn` or `torch.linspace`."),
    ),
    Unavailable(
        topic=mark("Graphics cards"),
        code='x.to("cuda")',
        program='import torch\ntorch.ones(1).to("cuda")',
        instead=mark('Compute on the processor: `device = "cuda" if torch.cuda.is_available() else "cpu"` works here and elsewhere.'),
    ),
    Unavailable(
        topic=mark("Compiling"),
        code="torch.compile(model)",
        program="import torch\ntorch.compile(torch.nn.Linear(1, 1))",
        instead=mark("Leave it out: the results are the same. There is no compiler here."),
    ),
    Unavailable(
        topic=mark("Typing something in"),
        code="input()",
        program="input()",
        instead=mark("Write the value into the program."),
    ),
    Unavailable(
        topic=mark("The network"),
        code="urlopen(…)",
        program="import urllib.request\nurllib.request.urlopen('http://example.org')",
        instead=mark("Nothing can be downloaded. Make the data in the program, or paste a little of it as text."),
    ),
    Unavailable(
        topic=mark("Files of yours"),
        code='open("data.csv")',
        program='open("data.csv")',
        instead=mark("Each run begins in an empty folder that is gone afterwards. A program can read what it wrote itself."),
    ),
    Unavailable(
        topic=mark("Names from an earlier run"),
        code="print(model)",
        program="print(model)",
        instead=mark(
            "Each run starts fresh. Put what belongs together into one program; a lesson’s cell first runs those that it continues."
        ),
    ),
    Unavailable(
        topic=mark("Other processes"),
        code="DataLoader(data, num_workers=2)",
        program="from torch.utils.data import DataLoader\nnext(iter(DataLoader([1.0, 2.0], num_workers=2)))",
        instead=mark("`num_workers=0` loads in the program itself. Threads work; other programs cannot be started."),
    ),
)


@dataclass(frozen=True, kw_only=True)
class Framework:
    """A framework. `version` is empty while it has not been started."""

    name: str
    version: str
    default: bool


@dataclass(frozen=True, kw_only=True)
class WhatWorks:
    """The page's data. `known` says that the runner has answered, `ready` that it runs programs."""

    known: bool
    ready: bool
    python: str
    frameworks: tuple[Framework, ...]
    libraries: dict[str, str]
    limits: Limits
    mebibytes: dict[str, str]  # the limits in bytes, by name
    source_kibibytes: int
    unavailable: tuple[Unavailable, ...]


def view_what_works(status: RunnerStatus | None, limits: Limits, words: Translate) -> WhatWorks:
    """Return the page's data. `status` is None if the runner does not answer."""
    runtimes = [runtime for runtime in status.runtimes if runtime.installed] if status else []
    frameworks = (
        Framework(name=RUNTIME_NAMES[runtime.name], version=runtime.versions.get(runtime.name, ""), default=index == 0)
        for index, runtime in enumerate(runtimes)
    )
    return WhatWorks(
        known=status is not None,
        ready=status is not None and status.ready,
        python=status.versions.get("python", "") if status else "",
        frameworks=tuple(frameworks) or (Framework(name=RUNTIME_NAMES["torch"], version="", default=True),),
        libraries=status.libraries if status else {},
        limits=limits,
        mebibytes={name: mebibytes(getattr(limits, name)) for name in Limits.__struct_fields__ if name.endswith("_bytes")},
        source_kibibytes=SOURCE_BYTES // 1024,
        unavailable=tuple(replace(one, topic=words(one.topic), instead=with_code(words(one.instead))) for one in UNAVAILABLE),
    )


def with_code(text: str) -> Markup:
    """Return the text as HTML, with code elements for what is between backticks."""
    return Markup(CODE.sub(r"<code>\1</code>", str(escape(text))))
