"""The processors that this one can compute like, by the variables with which libraries choose among its instructions."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy

from app.runtimes.specs import SPECS

CPUINFO = Path("/proc/cpuinfo")
_NO_AVX512 = ("-AVX512F", "-AVX512CD", "-AVX512BW", "-AVX512DQ", "-AVX512VL")
_NO_AVX2 = ("-AVX2", "-FMA", "-FMA4", *_NO_AVX512)


class Variant(NamedTuple):
    """`needs`: flags of /proc/cpuinfo without which this processor cannot compute like that."""

    name: str
    needs: frozenset[str]
    variables: Mapping[str, str]

    @property
    def environment(self) -> dict[str, str]:
        """For the process itself, and for the zygotes of the runners that it starts."""
        return {**self.variables, "GRADROOM_ZYGOTE_PROCESSOR": json.dumps(self.variables)}


def list_variants(flags: Collection[str], numpy_features: Sequence[str]) -> list[Variant]:
    """Those that a processor with these flags has; `numpy_features`: for which NumPy has code of its own there."""
    newer = [feature for feature in numpy_features if feature != "X86_V3"]
    all_of_them = (
        _variant("this one", ""),
        _variant("torch without AVX2", "", ATEN_CPU_CAPABILITY="default"),
        _variant("torch with AVX2", "avx2 fma", ATEN_CPU_CAPABILITY="avx2"),
        _variant("torch with AVX-512", "avx512f avx512dq avx512vl", ATEN_CPU_CAPABILITY="avx512"),
        _variant("NumPy without AVX2", "", NPY_DISABLE_CPU_FEATURES=" ".join(numpy_features)),
        _variant("glibc without AVX2", "", GLIBC_TUNABLES=_tunables(_NO_AVX2)),
        _variant(
            "Haswell",
            "avx2 fma avx512f",
            ATEN_CPU_CAPABILITY="avx2",
            NPY_DISABLE_CPU_FEATURES=" ".join(newer),
            GLIBC_TUNABLES=_tunables(_NO_AVX512),
            MKL_CBWR="AVX2",
            OPENBLAS_CORETYPE="Haswell",
            ONEDNN_MAX_CPU_ISA="AVX2",
            XLA_FLAGS=_xla_flags("AVX2"),
        ),
        _variant(
            "Sandy Bridge",  # the oldest on which TensorFlow and JAX start
            "avx",
            ATEN_CPU_CAPABILITY="default",
            NPY_DISABLE_CPU_FEATURES=" ".join(numpy_features),
            GLIBC_TUNABLES=_tunables(_NO_AVX2),
            MKL_CBWR="AVX",
            OPENBLAS_CORETYPE="Sandybridge",
            ONEDNN_MAX_CPU_ISA="AVX",
            XLA_FLAGS=_xla_flags("AVX"),
        ),
    )
    return [variant for variant in all_of_them if variant.needs <= set(flags)]


def read_flags() -> set[str]:
    """Of this processor; none where it is no x86."""
    found = re.search(r"^flags\s*:(.*)$", CPUINFO.read_text(), re.MULTILINE)
    return set(found[1].split()) if found else set()


def read_numpy_features() -> list[str]:
    """What NumPy finds here beyond what it takes for granted."""
    return list(numpy.show_config("dicts")["SIMD Extensions"].get("found", []))


def _variant(name: str, needs: str, **variables: str) -> Variant:
    return Variant(name, frozenset(needs.split()), variables)


def _tunables(features: Sequence[str]) -> str:
    return f"glibc.cpu.hwcaps={','.join(features)}"


def _xla_flags(instructions: str) -> str:
    """The variable replaces that of the runtime, so that it says what that does."""
    return f"{SPECS['jax'].environment['XLA_FLAGS']} --xla_cpu_max_isa={instructions}"
