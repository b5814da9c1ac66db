"""Loaded teeth: force from the approach by tables of both flanks, as `elements.load_table` and `elements.loaded_law`: text.

A flank that is not in contact is left out by a branch. Vectors would load all numbers of the tables of both flanks one by one,
which takes longer than lane after lane.
"""

from __future__ import annotations

import numpy as np

from ..lane_train import LaneMesh
from .numbers import LaneNumbers
from .phase_text import TURN, Phases
from .terms_text import TableStore, interval_text
from .text import indented

__all__ = ["LoadedText"]


class LoadedText:
    """Text of a mesh with tables of loaded teeth.

    phase : index of the phase of the tables. slope : text of the derivative of the energy by it, after a stage.
    """

    def __init__(
        self, k: int, mesh: LaneMesh, numbers: LaneNumbers, phases: Phases, tables: TableStore, backlash: str
    ) -> None:
        assert mesh.loaded is not None
        self._k, self._backlash, table = k, backlash, mesh.loaded
        self.phase = table.phase
        phase = mesh.phases[table.phase]
        self._group = phases.group_of(phase)
        self._phase_rate = phases.rate
        self._shift = numbers.use(f"load{k}_n", phases.shift(phase) / TURN)
        self.knots, self._intervals = table.loads.shape[1], table.approaches.shape[1]
        self._by = repr(self._intervals / TURN)
        self._loads = [tables.add(row) for row in table.loads]
        steps = np.diff(table.loads, append=np.inf)  # beyond the last knot the compliance stays
        self._inverses = [tables.add(1.0 / row) for row in steps]
        cubics = {"U": table.approaches, "c": table.compliances, "A": table.areas}
        self._cubics = {(name, flank): tables.add(all_[flank]) for name, all_ in cubics.items() for flank in (0, 1)}
        self.slope = f"(slope{k}d + slope{k}c)"

    def touch_text(self) -> list[str]:
        """Lines up to near{k}d and near{k}c: approach of each flank beyond first contact."""
        k, p = self._k, f"load{self._k}_"
        out = [*interval_text(p, f"n{self._group.index}", self._shift, self._intervals), f"{p}i = {p}i*{self.knots}"]
        for flank, side in enumerate("dc"):
            u = f"s{k}" if side == "d" else f"-(s{k} + {self._backlash or '0.0'})"
            out += [f"{p}u{side} = {u}", *self._value("U", flank, f"{p}i", f"touch{k}{side}", slope=f"turn{k}{side}")]
            out.append(f"near{k}{side} = {p}u{side} - touch{k}{side}")
        return out

    def force_text(self, frozen: bool) -> list[str]:
        """Lines up to f{k}, g{k} and the parts of `slope`."""
        k, out = self._k, []
        for flank, side in enumerate("dc"):
            on = f"{'drive' if side == 'd' else 'coast'}{k}" if frozen else f"near{k}{side}"
            out += [f"force{k}{side} = 0.0", f"slope{k}{side} = 0.0", f"bent{k}{side} = 0.0", f"if {on} > 0.0:"]
            out += indented([*self._flank(flank, side), f"bent{k}{side} = near{k}{side}"], 1)
        return [*out, f"f{k} = force{k}d - force{k}c", f"g{k} = bent{k}d - bent{k}c"]

    @property
    def phase_rate(self) -> str:
        """Rate of the phase of the tables."""
        return self._phase_rate(self._group)

    def touch_rate(self, side: str) -> str:
        """Rate of the approach of first contact."""
        return f"turn{self._k}{side}*({self.phase_rate})"

    def _value(self, name: str, flank: int, row: str, to: str, slope: str = "") -> list[str]:
        """A cubic of the row `row` (phase times knots, plus knot), and its derivative by the phase."""
        p, place = f"load{self._k}_", self._cubics[name, flank]
        x, c = f"{p}x", [f"{to}_{power}" for power in range(4)]
        out = [f"{to}_at = {place} + 4*({row})", *(f"{c[power]} = G[{to}_at + {power}]" for power in range(4))]
        out.append(f"{to} = {c[0]} + {x}*({c[1]} + {x}*({c[2]} + {x}*{c[3]}))")
        return [*out, f"{slope} = {self._by}*({c[1]} + {x}*(2.0*{c[2]} + 3.0*{x}*{c[3]}))"] if slope else out

    def _flank(self, flank: int, side: str) -> list[str]:
        """Force and dV/dφ of a flank: force{k}, slope{k}."""
        p, m = f"load{self._k}_", f"load{self._k}_m{side}"
        out, size = [f"{m} = np.int32(0)"], 1
        while size < self.knots:
            size *= 2
        while size > 1:
            size //= 2
            # the last knot whose approach is not above u
            out.append(f"{p}t = min({m} + np.int32({size}), np.int32({self.knots - 1}))")
            out += self._value("U", flank, f"{p}i + {p}t", f"{p}V")
            out.append(f"{m} = {p}t if {p}V <= {p}u{side} else {m}")
        row, after = f"{p}i + {m}", f"{p}i + min({m} + np.int32(1), np.int32({self.knots - 1}))"
        for name in "UcA":
            out += self._value(name, flank, row, f"{p}{name}", slope=f"{p}{name}p")
        out += self._value("c", flank, after, f"{p}e", slope=f"{p}ep")
        out += [
            f"{p}g = G[{self._inverses[flank]} + {m}]",
            f"{p}b = {p}g*({p}e - {p}c)",
            f"{p}bp = {p}g*({p}ep - {p}cp)",
        ]
        out.append(f"{p}r = {p}u{side} - {p}U")
        out.append(f"{p}t = 2.0*{p}r/({p}c + math.sqrt(max({p}c*{p}c + 2.0*{p}b*{p}r, 0.0)))")
        out.append(f"{p}h = 0.5*{p}t*{p}t")
        out.append(f"force{self._k}{side} = G[{self._loads[flank]} + {m}] + {p}t")
        third = f"{1.0 / 3.0!r}*{p}t*{p}h"
        out.append(f"slope{self._k}{side} = -({p}Ap + {p}Up*{p}t + {p}cp*{p}h + {p}bp*({third}))")
        return out
