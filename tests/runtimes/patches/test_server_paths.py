"""What a learner reads names no folder of the server."""

import sysconfig

import pytest

from app.runtimes.patches.server_paths import without_server_paths
from tests.runtimes.children import Children

SINGLE = "import torch\ntorch.autograd.gradcheck(torch.sin, torch.ones(2, requires_grad=True), eps=1e-3, atol=1e-1)\n"


def test_a_warning_of_pytorch_is_placed_below_the_libraries(children: Children) -> None:
    stderr = children.run(SINGLE).stderr
    assert stderr.startswith("torch/autograd/gradcheck.py:")
    assert "UserWarning: Input #0 requires gradient and is not a double precision" in stderr


@pytest.mark.parametrize(
    "program",
    [
        SINGLE,
        "import torch\nm = torch.nn.Linear(1, 1)\nm.register_backward_hook(lambda *_: None)\nm(torch.ones(1)).sum().backward()",
        "import asyncio\nasync def f(): pass\nf()\nimport imp",
        "import torch\n(torch.ones(2, requires_grad=True) * 2).grad",
        "import torch\ntorch.set_num_threads(64)",
        "import warnings\nwarnings.warn_explicit('w', UserWarning, __import__('app.runtimes.program').__file__, 1)",
    ],
)
def test_no_warning_shows_where_the_server_has_its_files(children: Children, program: str) -> None:
    stderr = children.run(program).stderr
    assert "Warning: " in stderr
    assert not any(folder in stderr for folder in sysconfig.get_paths().values())
    assert "/app/" not in stderr


def test_a_learners_own_warning_keeps_its_line(children: Children) -> None:
    assert children.run("import warnings\n\nwarnings.warn('mine')").stderr == "<source>:3: UserWarning: mine\n  warnings.warn('mine')\n"


def test_a_warning_itself_is_as_python_made_it(children: Children) -> None:
    ended = children.run(
        "import torch, warnings\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.warn_explicit('w', UserWarning, torch.__file__, 1)\n"
        "print(caught[0].filename == torch.__file__)"
    )
    assert ended.stdout == "True\n"


def test_a_learners_own_format_is_kept(children: Children) -> None:
    assert children.run("import warnings\nwarnings.formatwarning = lambda *_: 'own\\n'\nwarnings.warn('x')").stderr == "own\n"


def test_the_message_of_an_error_names_the_library_only(children: Children) -> None:
    error = children.run("from torch import nothing_at_all").error
    assert error.message == "cannot import name 'nothing_at_all' from 'torch' (torch/__init__.py)"


def test_other_paths_and_addresses_stay() -> None:
    assert without_server_paths("open('/tmp/x') of https://example.org/a") == "open('/tmp/x') of https://example.org/a"
