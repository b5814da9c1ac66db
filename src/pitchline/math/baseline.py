"""Processors whose machine code runs on all current machines of their kind. (numba reads its settings when it is imported:
this file does not import it.)
"""

from dataclasses import dataclass

from llvmlite import binding as llvm

__all__ = ["BASELINES", "Baseline", "baseline", "missing_features"]


@dataclass(frozen=True)
class Baseline:
    """Processor whose code runs on all processors with its features."""

    name: str
    features: tuple[str, ...]

    @property
    def target(self) -> tuple[str, str, str]:
        """Identification of numba's code generator when it compiles for this processor."""
        return llvm.get_process_triple(), self.name, ""

    @property
    def settings(self) -> dict[str, str]:
        """Environment of a process that compiles for it: without Intel's vector functions, which other machines may not have."""
        return {"NUMBA_CPU_NAME": self.name, "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_INTEL_SVML": "1"}


_X86 = "sse3 ssse3 sse4.1 sse4.2 popcnt cx16 sahf avx avx2 bmi bmi2 f16c fma lzcnt movbe"
BASELINES = {
    "x86_64": Baseline("x86-64-v3", tuple(_X86.split())),
    "arm64": Baseline("apple-m1", ()),
    "aarch64": Baseline("generic", ()),
}


def baseline() -> Baseline | None:
    """Baseline of machines like this one, also if this one does not have all of its features."""
    return BASELINES.get(llvm.get_process_triple().partition("-")[0])


def missing_features() -> list[str]:
    """Features of the baseline that this processor does not have."""
    have, wanted = llvm.get_host_cpu_features(), baseline()
    return [] if wanted is None else [name for name in wanted.features if not have.get(name)]
