"""Signals of meshes and rotors, their sums over the recorded cycles, and Poincaré samples: text and layout of the rows."""

from __future__ import annotations

from collections.abc import Sequence

from .force_text import ForceText
from .lane_signal import MESH, ROTOR, TURNED, LaneSignal
from .mesh_signals import advance, apart, may_have_none, mesh_signal

__all__ = ["SignalText"]

_LOW, _HIGH = "1e300", "-1e300"


class SignalText:
    """Text of the signals of a run.

    signals : reduced; after the requested ones, those that are needed to determine the loaded flank of meshes without backlash.
    poincare : (kind, index) whose coordinate and rate are kept at the end of a cycle.
    losses : whether the time without contact is summed for each mesh with backlash.
    smooth : whether signals have no kinks, except in steps with `mark` 1, if `marked`. A peak is then the vertex of a parabola
    through three samples; otherwise it is the largest sample.
    """

    def __init__(
        self,
        force: ForceText,
        signals: Sequence[LaneSignal],
        poincare: Sequence[tuple[str, int]] = (),
        *,
        losses: bool = True,
        smooth: bool = True,
        marked: bool = False,
    ) -> None:
        self._force, self._poincare, self._smooth = force, tuple(poincare), smooth
        self.requested = len(signals)
        self.signals = (*signals, *_forces(force, signals))
        self.lost = [mesh.k for mesh in force.meshes if losses and not mesh.one_sided]
        self.orders = sorted({h for signal in self.signals for h in signal.orders})
        self._extremes = [n for n, signal in enumerate(self.signals) if signal.extremes]
        self.marked = marked and smooth and bool(self._extremes)
        self.sums = self._named()

    @property
    def samples(self) -> list[str]:
        """Variables of a sample."""
        values = [f"sig{n}" for n in range(len(self.signals))] + [f"apart{k}" for k in self.lost]
        return [*values, "mark"] if self.marked else values

    def _named(self) -> dict[str, str]:
        """Variables of the sums, and their values before the first sample."""
        out: dict[str, str] = {}
        for n, signal in enumerate(self.signals):
            out |= {f"low{n}_": _LOW, f"high{n}_": _HIGH} if signal.extremes else {}
            out |= {f"mean{n}_": "0.0"} if signal.mean else {}
            out |= {f"square{n}_": "0.0"} if signal.rms else {}
            out |= {f"{part}{n}_{h}": "0.0" for h in signal.orders for part in ("cos", "sin")}
            out |= {f"one{n}_": "0.0", f"two{n}_": "0.0"} if signal.extremes and self._smooth else {}
        out |= {f"lost{k}_": "0.0" for k in self.lost}
        # before the first two samples there is no parabola: as after a kink
        return out | ({"rough1_": "1.0", "rough2_": "1.0"} if self._extremes and self._smooth else {})

    def sample_text(self) -> list[str]:
        """Lines after the first stage of a step: values of the sample."""
        out = [f"sig{n} = {self._value(signal)}" for n, signal in enumerate(self.signals)]
        return out + [f"apart{k} = {apart(self._force.meshes[k])}" for k in self.lost]

    def sum_text(self) -> list[str]:
        """Lines that add a sample."""
        out = []
        for n, signal in enumerate(self.signals):
            out += self._peaks(n) if signal.extremes else []
            out += [f"mean{n}_ += sig{n}"] if signal.mean else []
            out += [f"square{n}_ += sig{n}*sig{n}"] if signal.rms else []
            for h in signal.orders:
                column = 2 * self.orders.index(h)
                out += [f"cos{n}_{h} += sig{n}*H[har + {column}]", f"sin{n}_{h} += sig{n}*H[har + {column + 1}]"]
        if self._extremes and self._smooth:
            out += ["rough2_ = rough1_", f"rough1_ = {'mark' if self.marked else '0.0'}"]
        return out + [f"lost{k}_ += apart{k}" for k in self.lost]

    def _peaks(self, n: int) -> list[str]:
        """Largest and smallest value: of the samples, and of the parabola through this one and the two before."""
        out = [f"low{n}_ = min(low{n}_, sig{n})", f"high{n}_ = max(high{n}_, sig{n})"]
        if not self._smooth:
            return out
        out += [f"rise = sig{n} - two{n}_", f"bend = sig{n} - 2.0*one{n}_ + two{n}_"]
        inside = "rough1_ + rough2_ == 0.0 and abs(rise) < abs(bend)"  # the vertex is within half a step of the middle sample
        out += [f"peak = one{n}_ - 0.125*rise*rise/bend"]
        out += [f"high{n}_ = max(high{n}_, peak if {inside} and bend < 0.0 else high{n}_)"]
        out += [f"low{n}_ = min(low{n}_, peak if {inside} and bend > 0.0 else low{n}_)"]
        return [*out, f"two{n}_ = one{n}_", f"one{n}_ = sig{n}"]

    def poincare_text(self) -> list[str]:
        """Texts of the coordinates at the end of a cycle, from q and v."""
        out = []
        for kind, index in self._poincare:
            if kind == ROTOR:
                free = index in self._force.free
                out += [f"q{index}", f"v{index}"] if free else ["0.0", "0.0"]
            else:
                mesh = self._force.meshes[index]
                cosine = repr(float(mesh.mesh.length))
                out += [f"{cosine}*({advance(mesh, 'q')})", f"{cosine}*({advance(mesh, 'v', rate=True)})"]
        return out

    def _value(self, signal: LaneSignal) -> str:
        if signal.kind == ROTOR:
            free = signal.index in self._force.free
            return f"{'y' if signal.name == 'angle' else 'u'}{signal.index}" if free else "0.0"
        return mesh_signal(self._force.meshes[signal.index], signal.name)


def _forces(force: ForceText, signals: Sequence[LaneSignal]) -> list[LaneSignal]:
    """Forces of meshes without backlash whose signals refer to the loaded flank."""
    out = []
    for mesh in force.meshes:
        needed = any(s.kind == MESH and s.index == mesh.k and s.name in TURNED for s in signals)
        if needed and may_have_none(mesh):
            out.append(LaneSignal(MESH, mesh.k, "signed_force", rms=False))
    return out
