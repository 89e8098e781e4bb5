"""What programs cannot use, for the page "What works here", and what to do instead. The runner reports what they can use."""

import re
from dataclasses import dataclass

from markupsafe import Markup, escape

from app.locale.messages import mark
from app.protocol.sandbox import RunnerStatus

RUNTIME_NAMES: dict[str, str] = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX"}
CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, kw_only=True)
class Unavailable:
    """Something that does not work. `program` tries it and fails. `instead` says what to do, with code between backticks."""

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


def list_frameworks(status: RunnerStatus | None) -> list[tuple[str, str]]:
    """Return the names and versions of the installed frameworks, the default one first.

    A version is "" if its framework has not been started. `status` is None if the runner does not answer.
    """
    runtimes = [runtime for runtime in status.runtimes if runtime.installed] if status else []
    return [(RUNTIME_NAMES[one.name], one.versions.get(one.name, "")) for one in runtimes] or [(RUNTIME_NAMES["torch"], "")]


def with_code(text: str) -> Markup:
    """Return the text as HTML, with code elements for what is between backticks."""
    return Markup(CODE.sub(r"<code>\1</code>", str(escape(text))))
