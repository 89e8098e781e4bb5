"""Where a name is banned, it can be read what a class is made of."""

import pytest

from tests.runtimes.torch.grading.source_rules.refusals import reason

CLASSES = [  # made of a name, bases and a dictionary
    "from abc import ABC, ABCMeta\nA = ABCMeta('A', (ABC,), {'__match_' + 'args__': ('auto' + 'grad',)})",
    "from abc import ABCMeta as M\nA = M('A', (), names)",
    "import abc\nA = abc.ABCMeta('A', (), names)",
    "from collections import abc\nmake = abc.ABCMeta",
    "class M(ABCMeta):\n    pass",
    "from abc import ABC\nA = type(ABC)('A', (), names)",
    "A = type(int)('A', (), names)",
    "A = type(type(x))('A', (), names)",
    "class A:\n    pass\nB = type(A)('B', (), names)",
    "import typing\nA = typing.NamedTupleMeta('A', (), names)",
]
MISPLACED = [  # where it is not sure to see the class as it is written
    "import dataclasses\nT = dataclasses.dataclass(made)",
    "from dataclasses import dataclass as d\nT = d(made)",
    "from dataclasses import *\nT = dataclass(made)",
    "from dataclasses import dataclass\n@dataclass\n@other\nclass A:\n    pass",
    "from dataclasses import dataclass\nsame = dataclass",
]
RENAMED = [  # a field, whose name is a part of what a data class executes
    "from dataclasses import fields\nfields(A)[0].name = text",
    "import dataclasses as d\none = d.field()\none.name += text",
    "from dataclasses import field\none = field()\nfor one.name in [text]:\n    pass",
]
BASES = [
    "def make(base):\n    class A(base):\n        pass\n    return A",
    "import torch\nclass A(type(torch.ones(1))):\n    pass",
    "class A(*bases):\n    pass",
    "class A(made()):\n    pass",
    "import torch\nclass A([torch.Tensor][0]):\n    pass",
    "class A:\n    pass\nA = made\nclass B(A):\n    pass",
    "class A:\n    pass\nfor A in made:\n    class B(A):\n        pass",
    "@other\nclass A:\n    pass\nclass B(A):\n    pass",
    "object = made\nclass B(object):\n    pass",
    "from torch import nn\nnn = made\nclass B(nn.Module):\n    pass",
    "import collections\nnamedtuple = made\nclass B(namedtuple('A', 'x')):\n    pass",
    "from collections import namedtuple\nA = namedtuple('A', 'x')\nA = made\nclass B(A):\n    pass",
]


@pytest.mark.parametrize("source", MISPLACED)
def test_dataclass_stands_next_to_its_class(source: str) -> None:
    assert reason(source) == "ban-decorator"


@pytest.mark.parametrize("source", BASES)
def test_it_is_known_what_a_class_is_derived_from(source: str) -> None:
    assert reason(source) == "ban-base"


@pytest.mark.parametrize("source", CLASSES)
def test_classes_made_of_a_dictionary_are_refused(source: str) -> None:
    assert reason(source) == "ban-unseen"


@pytest.mark.parametrize("source", RENAMED)
def test_no_field_is_renamed(source: str) -> None:
    assert reason(source) == "ban-unseen"


def test_a_name_is_given_where_there_are_no_data_classes() -> None:
    assert reason("class A:\n    def __init__(self, name):\n        self.name = name") is None
