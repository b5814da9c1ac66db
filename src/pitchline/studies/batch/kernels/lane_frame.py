"""Frame of a kernel with one lane after the other: for a thread of a GPU, and for a reference on a CPU."""

from __future__ import annotations

from .kernel_text import KernelText
from .text import indented

__all__ = ["LaneFrame"]

_ARRAYS = "I: I1, A: A1, S: A2, O: A2, R: A2, D: A2, V: A2, U: A1, T: A1, H: A1, G: A1"


class LaneFrame:
    """Text of the function `run` with all its numbers in local variables.

    looped : stages of a step in a loop, which compiles faster. Otherwise they are written out, as for vectors.
    """

    def __init__(self, kernel: KernelText, *, looped: bool) -> None:
        self._kernel, self._looped = kernel, looped
        self._numbers = list(kernel.force.numbers.varying)
        self._kept = list(kernel.kept)

    def text(self) -> str:
        """Source of `run` for a range of lanes."""
        lines = [f"def run(first: I8, last: I8, {_ARRAYS}, Z: A1, N: I1):", "    for i in range(first, last):"]
        return "\n".join([*lines, *indented(self._lane(), 2), ""])

    def cuda_text(self) -> str:
        """Source of `run` for a GPU: each thread runs one lane."""
        lines = ["def run(I, A, S, O, R, D, V, U, T, H, G):", "    i = cuda.grid(1)", "    if i < S.shape[1]:"]
        return "\n".join([*lines, *indented(self._lane(), 2), ""])

    def _lane(self) -> list[str]:
        kernel = self._kernel
        state, signals = kernel.state, kernel.signals
        out = [*kernel.argument_text(), *kernel.uniform_text()]
        out += [f"{name} = V[{n}, i]" for n, name in enumerate(self._numbers)]
        out += [f"{name} = S[{n}, i]" for n, name in enumerate(state)]
        out += [f"{name} = R[{n}, i]" for n, name in enumerate(self._kept)]
        out += ["at1 = table_start", "for cycle in range(cycles):"]
        cycle = ["theta_c = cycle_angle*(first_cycle + cycle)", "if cycle == cycles - 1:"]
        cycle += indented([f"O[{n}, i] = {name}" for n, name in enumerate(state)], 1)
        cycle += [*kernel.cycle_text(), "for j in range(steps):"]
        cycle += indented(self._step(), 1)
        cycle += [f"at1 += {2 * kernel.table_width}*steps", "if at1 == table_end:", "    at1 = 0"]
        points = signals.poincare_text()
        if points:
            cycle += ["point = cycle - first_point", "if point >= 0:"]
            cycle += [f"    D[{len(points)}*point + {n}, i] = {value}" for n, value in enumerate(points)]
        out += indented(cycle, 1)
        out += [f"S[{n}, i] = {name}" for n, name in enumerate(state)]
        return out + [f"R[{n}, i] = {name}" for n, name in enumerate(self._kept)]

    def _step(self) -> list[str]:
        kernel = self._kernel
        out = [f"at0 = at1 + {2 * kernel.table_width}*j", "theta0 = theta_c + step_angle*j"]
        if kernel.again:
            out += [f"old_{name} = {name}" for name in kernel.state]
        out += kernel.step.looped_text() if self._looped else kernel.step.text()
        if kernel.again:
            again = [f"{name} = old_{name}" for name in kernel.state]
            out += ["if again > 0.0:", *indented([*again, *kernel.cut.text(), "missed_ += missed"], 1)]
        if kernel.signals.sums:
            out += [
                "if keep:",
                f"    har = {2 * len(kernel.signals.orders)}*j",
                *indented(kernel.signals.sum_text(), 1),
            ]
        return out
