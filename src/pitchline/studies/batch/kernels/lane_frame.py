"""Frame of a kernel with one lane after the other: the function `lane`, for a thread of a GPU, and for a reference on a CPU."""

from __future__ import annotations

from .kernel_text import KernelText
from .text import indented

__all__ = ["LaneFrame"]

_ARRAYS = "I: I1, A: A1, S: A2, O: A2, R: A2, D: A2, V: A2, U: A1, T: A1, H: A1, G: A1"


class LaneFrame:
    """Text of the function `lane`, which runs lane i with all its numbers in local variables.

    looped : stages of a step in a loop, which compiles faster. Otherwise they are written out, as for vectors.
    """

    def __init__(self, kernel: KernelText, *, looped: bool) -> None:
        self._kernel, self._looped = kernel, looped
        self._numbers = list(kernel.force.numbers.varying)
        self._kept = kernel.kept

    def text(self) -> str:
        """Source of `lane`, and of `run` for a range of lanes."""
        lines = self._cut() if self._kernel.step.again else []
        lines += ["@inner", f"def lane(i: I8, {_ARRAYS}):", *indented(self._lane(), 1), ""]
        lines += [f"def run(first: I8, last: I8, {_ARRAYS}, Z: A1, N: I1):", "    for i in range(first, last):"]
        return "\n".join([*lines, "        lane(i, I, A, S, O, R, D, V, U, T, H, G)", ""])

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
        if kernel.step.again:
            out += [f"old_{name} = {name}" for name in kernel.state]
        out += kernel.step.looped_text() if self._looped else kernel.step.text()
        if kernel.step.again:
            given = ", ".join([*(f"old_{name}" for name in kernel.state), *kernel.cycle_names])
            out += ["if again > 0.0:", f"    ({', '.join(self._cut_results)},) = cut(i, at0, theta0, A, V, U, T, G, {given})"]
            out += ["    missed_ += missed"]
        if kernel.signals.sums:
            out += ["if keep:", f"    har = {2 * len(kernel.signals.orders)}*j", *indented(kernel.signals.sum_text(), 1)]
        return out

    @property
    def _cut_results(self) -> list[str]:
        return [*self._kernel.state, *(f"apart{k}" for k in self._kernel.cut.apart), "missed"]

    def _cut(self) -> list[str]:
        """The function that makes the step of a lane again."""
        kernel, results = self._kernel, self._cut_results
        given = ", ".join(f"{name}: F8" for name in [*kernel.state, *kernel.cycle_names])
        arrays = "i: I8, at0: I8, theta0: F8, A: A1, V: A2, U: A1, T: A1, G: A1"
        lines = ["@inner", f"def cut({arrays}, {given}) -> numbers({len(results)}):"]
        body = [*kernel.angle_text(), *kernel.uniform_text(), *(f"{name} = V[{n}, i]" for n, name in enumerate(self._numbers))]
        return [*lines, *indented([*body, *kernel.cut.text(), f"return ({', '.join(results)},)"], 1), ""]
