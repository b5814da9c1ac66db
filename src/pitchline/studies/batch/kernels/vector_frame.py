"""Frame of a kernel for vectors of a CPU: lanes in blocks, and in every step a straight loop over the lanes of a block.

The compiler turns such a loop into vector instructions. A block has all its numbers in rows of `Z`, one number for each lane.
"""

from __future__ import annotations

from .kernel_text import KernelText
from .text import indented

__all__ = ["VectorFrame", "width_for"]

NARROW, WIDE = 16, 64
"""Lanes of a block. The compiler completely unrolls loops that are shorter than the narrow one, and then makes no vectors. Wide
ones are faster by 40 % for a planetary train of seven rotors. Still wider ones do not fit into the first cache."""


def width_for(lanes: int) -> int:
    """Lanes of a block for a number of lanes: few lanes do not fill wide blocks."""
    return WIDE if lanes > 2 * WIDE else NARROW


class VectorFrame:
    """Text of the function `run` for blocks of lanes.

    width : lanes of a block. rows : variables of a lane that are kept in Z, in this order.
    """

    def __init__(self, kernel: KernelText, width: int) -> None:
        self._kernel, self._width = kernel, width
        self._state = kernel.state
        self._numbers = list(kernel.force.numbers.varying)
        samples = kernel.signals.samples
        self._before = [f"old_{name}" for name in self._state] if kernel.again else []
        self.rows = [*self._state, *kernel.cycle_names, *kernel.kept, *self._numbers, *samples, *self._before]
        self.rows = list(dict.fromkeys(self.rows))

    def text(self) -> str:
        """Source."""
        kernel = self._kernel
        lines = self._cut() if kernel.again else []
        arrays = "I: I1, A: A1, S: A2, O: A2, R: A2, D: A2, V: A2, U: A1, T: A1, H: A1, G: A1, Z: A1, N: I1"
        lines += [f"def run(first: I8, last: I8, {arrays}):"]
        lines += indented([*kernel.argument_text(), *kernel.uniform_text()], 1)
        lines += indented([f"for i0 in range(first, last, {self._width}):"], 1)
        lines += indented(self._block(), 2)
        return "\n".join(lines) + "\n"

    def _block(self) -> list[str]:
        kernel = self._kernel
        out = self._lanes(
            [*self._from(self._state, "S"), *self._from(list(kernel.kept), "R"), *self._from(self._numbers, "V")],
        )
        out += ["at1 = table_start", "for cycle in range(cycles):"]
        out += indented(self._cycle(), 1)
        out += self._lanes([f"S[{n}, i0 + l] = {self._at(name)}" for n, name in enumerate(self._state)])
        return out + self._lanes([f"R[{n}, i0 + l] = {self._at(name)}" for n, name in enumerate(kernel.kept)])

    def _cycle(self) -> list[str]:
        kernel = self._kernel
        out = ["theta_c = cycle_angle*(first_cycle + cycle)", "if cycle == cycles - 1:"]
        out += indented(self._lanes([f"O[{n}, i0 + l] = {self._at(name)}" for n, name in enumerate(self._state)]), 1)
        begin = kernel.cycle_text()
        if begin:
            out += self._lanes(
                [
                    *self._take([*self._state, *self._numbers, *kernel.clock.lane_names]),
                    *begin,
                    *self._put(kernel.cycle_names),
                ]
            )
        out += ["for j in range(steps):"]
        step = [f"at0 = at1 + {2 * kernel.table_width}*j", "theta0 = theta_c + step_angle*j"]
        stepping = [*self._state, *kernel.cycle_names, *self._numbers]
        changed = [*self._state, *kernel.signals.samples]
        old = [f"{self._at(f'old_{name}')} = {name}" for name in self._state] if kernel.again else []
        step += ["some = 0"] if kernel.again else []
        step += self._lanes([*self._take(stepping), *old, *kernel.step.text(), *self._put(changed), *self._marked()])
        step += self._made_again() if kernel.again else []
        step += ["if keep:", *indented(self._sampled(), 1)]
        out += indented(step, 1)
        out += [f"at1 += {2 * kernel.table_width}*steps", "if at1 == table_end:", "    at1 = 0"]
        points = kernel.signals.poincare_text()
        if points:
            out += ["point = cycle - first_point", "if point >= 0:"]
            put = [f"D[{len(points)}*point + {n}, i0 + l] = {value}" for n, value in enumerate(points)]
            out += indented(self._lanes([*self._take([*self._state, *self._numbers]), *put]), 1)
        return out

    def _sampled(self) -> list[str]:
        signals = self._kernel.signals
        if not signals.sums:
            return ["pass"]
        out = [f"har = {2 * len(signals.orders)}*j"]
        return out + self._lanes(
            [*self._take([*signals.samples, *signals.sums]), *signals.sum_text(), *self._put(list(signals.sums))]
        )

    def _marked(self) -> list[str]:
        """Lanes whose step is made again."""
        return ["mark = 1 if again > 0.0 else 0", "N[l] = mark", "some = some | mark"] if self._kernel.again else []

    def _made_again(self) -> list[str]:
        call = ["if N[l] != 0:", "    cut(l, at0, theta0, A, U, T, G, Z)"]
        return ["if some != 0:", *indented(self._lanes(call), 1)]

    def _cut(self) -> list[str]:
        """The function that makes the step of one lane again."""
        kernel = self._kernel
        lines = ["@inner", "def cut(l: I8, at0: I8, theta0: F8, A: A1, U: A1, T: A1, G: A1, Z: A1):"]
        body = [*kernel.angle_text(), *kernel.uniform_text()]
        body += [f"{name} = {self._at(f'old_{name}')}" for name in self._state]
        body += [*self._take([*kernel.cycle_names, *self._numbers]), *kernel.cut.text(), *self._put(self._state)]
        body += self._put(list(dict.fromkeys([*kernel.cut.sampled, *(f"apart{k}" for k in kernel.cut.apart)])))
        return [*lines, *indented([*body, f"{self._at('missed_')} += missed"], 1), ""]

    def _lanes(self, lines: list[str]) -> list[str]:
        return [f"for l in range({self._width}):", *indented(lines, 1)] if lines else []

    def _from(self, names: list[str], array: str) -> list[str]:
        return [f"{self._at(name)} = {array}[{n}, i0 + l]" for n, name in enumerate(names)]

    def _at(self, name: str) -> str:
        return f"Z[{self._width * self.rows.index(name)} + l]"

    def _take(self, names: list[str]) -> list[str]:
        return [f"{name} = {self._at(name)}" for name in dict.fromkeys(names)]

    def _put(self, names: list[str]) -> list[str]:
        return [f"{self._at(name)} = {name}" for name in names]
