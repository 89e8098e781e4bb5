"""The page "What works here" is right: each library that it lists can be imported, and what it says does not work does not."""

import pytest

from app.protocol.outcome import Outcome
from app.runtimes.libraries import find_libraries
from app.web.views.reference.what_works import UNAVAILABLE, Unavailable
from tests.programs import Programs

FAULTS = {
    "!pip install einops": "SyntaxError",
    "import torchvision": "ModuleNotFoundError",
    'x.to("cuda")': "AssertionError",
    "torch.compile(model)": "PermissionError",
    "input()": "EOFError",
    "urlopen(…)": "URLError",
    'open("data.csv")': "FileNotFoundError",
    "print(model)": "NameError",
    "DataLoader(data, num_workers=2)": "PermissionError",
}


def test_the_runner_reports_the_libraries(programs: Programs) -> None:
    libraries = programs.status().libraries
    assert {"numpy", "matplotlib", "tqdm", "torchviz", "PIL"} <= set(libraries)
    assert all(libraries.values())


@pytest.mark.parametrize("library", find_libraries())
def test_a_library_that_is_named_can_be_imported(programs: Programs, library: str) -> None:
    result = programs.run(f"import {library}\nprint(getattr({library}, '__version__', None))")
    assert (result.outcome, result.error) == (Outcome.FINISHED, None)
    assert result.stdout.strip() in (find_libraries()[library], "None")


@pytest.mark.parametrize("one", UNAVAILABLE, ids=lambda one: one.code)
def test_what_is_said_not_to_work_does_not(programs: Programs, one: Unavailable) -> None:
    result = programs.run(one.program)
    assert result.error is not None
    assert result.error.type == FAULTS[one.code]


@pytest.mark.parametrize(
    "source",
    [
        'import torch\ndevice = "cuda" if torch.cuda.is_available() else "cpu"\ntorch.ones(1).to(device)',
        "from torch.utils.data import DataLoader\nnext(iter(DataLoader([1.0, 2.0], num_workers=0)))",
        "open('mine.csv', 'w').write('1,2')\nassert open('mine.csv').read() == '1,2'",
        "import torch\ntorch.randn(3), torch.linspace(0, 1, 3), torch.nn.Linear(1, 1)",
        "import threading\nthread = threading.Thread(target=print)\nthread.start()\nthread.join()",
    ],
)
def test_what_is_said_to_be_done_instead_works(programs: Programs, source: str) -> None:
    assert programs.run(source).outcome == Outcome.FINISHED
