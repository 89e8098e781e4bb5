"""Which processors this one can compute like, what is read from the runs, and that zygotes really compute like them."""

import os
from unittest.mock import patch

import pytest

from app.protocol.outcome import Outcome
from app.settings import load_settings
from tests.processors.__main__ import choose, find_problems
from tests.processors.variants import list_variants, read_flags, read_numpy_features
from tests.programs import running_programs

AVX512 = {"avx", "avx2", "fma", "avx512f", "avx512dq", "avx512vl"}
FOUND = ["X86_V3", "X86_V4"]
PROGRAM = """
import os, torch
print(torch.backends.cpu.get_cpu_capability(), os.environ["NPY_DISABLE_CPU_FEATURES"])
print(torch.ones(3, dtype=torch.float16).sign().tolist())
"""


@pytest.mark.parametrize(
    ("flags", "names"),
    [
        (set(), ["this one", "torch without AVX2", "NumPy without AVX2", "glibc without AVX2"]),
        (
            {"avx", "avx2", "fma"},
            ["this one", "torch without AVX2", "torch with AVX2", "NumPy without AVX2", "glibc without AVX2", "Sandy Bridge"],
        ),
    ],
)
def test_a_processor_computes_like_those_whose_instructions_it_has(flags: set[str], names: list[str]) -> None:
    assert [variant.name for variant in list_variants(flags, FOUND)] == names


def test_a_variant_is_chosen_by_a_word_of_its_name() -> None:
    variants = list_variants(AVX512, FOUND)
    assert [variant.name for variant in choose(variants, ["sandy", "512"])] == ["torch with AVX-512", "Sandy Bridge"]
    assert choose(variants, []) == variants


def test_settings_allow_the_variables_of_every_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    for variant in list_variants(AVX512, FOUND):
        monkeypatch.setenv("GRADROOM_ZYGOTE_PROCESSOR", variant.environment["GRADROOM_ZYGOTE_PROCESSOR"])
        assert load_settings().zygote_processor == variant.variables


def test_a_problem_is_a_line_that_names_a_place_or_how_it_ended() -> None:
    course = "own-functions/why: 5 cells, 1 problem\n/lessons/why/lesson.toml:25: the cell cbrt: expected 2.\n80 lessons loaded"
    assert find_problems(course, 1) == ["/lessons/why/lesson.toml:25: the cell cbrt: expected 2."]
    assert find_problems("..F\nFAILED tests/a.py::test_b - assert 0\n1 failed", 1) == ["FAILED tests/a.py::test_b - assert 0"]
    assert find_problems("usage\nno such option", 2) == ["status 2: usage\nno such option"]
    assert find_problems("3 passed", 0) == []


def test_zygotes_compute_like_another_processor() -> None:
    [variant] = choose(list_variants(read_flags() | {"avx"}, read_numpy_features()), ["Sandy Bridge"])
    environment = {"GRADROOM_ZYGOTE_PROCESSOR": variant.environment["GRADROOM_ZYGOTE_PROCESSOR"]}
    with patch.dict(os.environ, environment), running_programs() as programs:
        result = programs.run(PROGRAM)
    assert (result.outcome, result.error) == (Outcome.FINISHED, None)
    assert result.stdout == f"DEFAULT {' '.join(read_numpy_features())}\n[1.0, 1.0, 1.0]\n"
