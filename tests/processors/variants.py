"""The processors that this one can compute like: libraries choose their instructions by environment variables."""

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
    """A processor. `needs` are the flags of /proc/cpuinfo that this one must have to compute like it."""

    name: str
    needs: frozenset[str]
    variables: Mapping[str, str]

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment variables for a process and for the zygotes that it starts."""
        return {**self.variables, "GRADROOM_ZYGOTE_PROCESSOR": json.dumps(self.variables)}


def list_variants(flags: Collection[str], numpy_features: Sequence[str]) -> list[Variant]:
    """Return the variants for a processor with these flags. `numpy_features` are those for which NumPy has special code there."""
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
    """Return the flags of this processor; none if it is not an x86."""
    found = re.search(r"^flags\s*:(.*)$", CPUINFO.read_text(), re.MULTILINE)
    return set(found[1].split()) if found else set()


def read_numpy_features() -> list[str]:
    """Return the features that NumPy finds here besides its baseline."""
    return list(numpy.show_config("dicts")["SIMD Extensions"].get("found", []))


def _variant(name: str, needs: str, **variables: str) -> Variant:
    return Variant(name, frozenset(needs.split()), variables)


def _tunables(features: Sequence[str]) -> str:
    return f"glibc.cpu.hwcaps={','.join(features)}"


def _xla_flags(instructions: str) -> str:
    """Return XLA_FLAGS; it replaces the runtime's variable, so it contains the runtime's flags too."""
    return f"{SPECS['jax'].environment['XLA_FLAGS']} --xla_cpu_max_isa={instructions}"
