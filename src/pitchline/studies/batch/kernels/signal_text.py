"""Signals of meshes and rotors, their sums over the recorded cycles, and Poincaré samples: text and layout of the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....errors import ModelError, near_names
from .force_text import ForceText
from .mesh_signals import MESH_SIGNALS, advance, apart, mesh_signal

__all__ = ["MESH_SIGNALS", "ROTOR_SIGNALS", "LaneSignal", "SignalText"]

ROTOR_SIGNALS = ("angle", "speed")
MESH, ROTOR = "mesh", "rotor"


@dataclass(frozen=True)
class LaneSignal:
    """Signal that is reduced: of a mesh or of a rotor.

    kind : "mesh" or "rotor". index : which one. name : of the signal. orders : multiples of the base cycle whose amplitude and
    phase are computed. extremes, mean, rms : whether they are.

    Signals of a mesh are those of `pl.dynamics`, `approach` without the offset of the law. Signals of a rotor are its deviation
    from steady rolling (angle) and the rate of it (speed).
    """

    kind: str
    index: int
    name: str
    orders: tuple[int, ...] = ()
    extremes: bool = True
    mean: bool = True
    rms: bool = True

    def __post_init__(self) -> None:
        known = {MESH: MESH_SIGNALS, ROTOR: ROTOR_SIGNALS}.get(self.kind)
        if known is None or self.name not in known:
            every = [*MESH_SIGNALS, *ROTOR_SIGNALS] if known is None else known
            raise ModelError(
                f'signal of a {self.kind} of a batch: unknown name "{self.name}"; {near_names(self.name, every)}'
            )

    def sums(self, n: int) -> list[str]:
        """Variables of the sums of signal n."""
        out = [f"lo{n}_", f"hi{n}_"] if self.extremes else []
        out += [f"mean{n}_"] if self.mean else []
        out += [f"square{n}_"] if self.rms else []
        return out + [f"{part}{n}_{h}" for h in self.orders for part in ("cos", "sin")]


class SignalText:
    """Text of the signals of a run.

    signals : reduced. poincare : (kind, index) whose coordinate and rate are kept at the end of a cycle. losses : whether the time
    without contact is summed for each mesh with backlash.
    """

    def __init__(
        self,
        force: ForceText,
        signals: Sequence[LaneSignal],
        poincare: Sequence[tuple[str, int]] = (),
        losses: bool = True,
    ) -> None:
        self._force, self.signals, self._poincare = force, tuple(signals), tuple(poincare)
        self.lost = [mesh.k for mesh in force.meshes if losses and not mesh.one_sided]
        self.orders = sorted({h for signal in self.signals for h in signal.orders})
        self.sums = [name for n, signal in enumerate(self.signals) for name in signal.sums(n)]
        self.sums += [f"lost{k}_" for k in self.lost]

    @property
    def samples(self) -> list[str]:
        """Variables of a sample."""
        return [f"sig{n}" for n in range(len(self.signals))] + [f"apart{k}" for k in self.lost]

    def first(self, name: str) -> str:
        """Value of a sum before the first sample."""
        return (
            "1e300"
            if name.startswith("lo") and not name.startswith("lost")
            else "-1e300"
            if name.startswith("hi")
            else "0.0"
        )

    def sample_text(self) -> list[str]:
        """Lines after the first stage of a step: values of the sample."""
        out = [f"sig{n} = {self._value(signal)}" for n, signal in enumerate(self.signals)]
        return out + [f"apart{k} = {apart(self._force.meshes[k])}" for k in self.lost]

    def sum_text(self) -> list[str]:
        """Lines that add a sample."""
        out = []
        for n, signal in enumerate(self.signals):
            if signal.extremes:
                out += [f"lo{n}_ = min(lo{n}_, sig{n})", f"hi{n}_ = max(hi{n}_, sig{n})"]
            if signal.mean:
                out.append(f"mean{n}_ += sig{n}")
            if signal.rms:
                out.append(f"square{n}_ += sig{n}*sig{n}")
            for h in signal.orders:
                column = 2 * self.orders.index(h)
                out += [f"cos{n}_{h} += sig{n}*H[har + {column}]", f"sin{n}_{h} += sig{n}*H[har + {column + 1}]"]
        return out + [f"lost{k}_ += apart{k}" for k in self.lost]

    def poincare_text(self) -> list[str]:
        """Texts of the coordinates at the end of a cycle, from q and v."""
        out = []
        for kind, index in self._poincare:
            if kind == ROTOR:
                free = index in self._force.free
                out += [f"q{index}", f"v{index}"] if free else ["0.0", "0.0"]
            else:
                mesh = self._force.meshes[index]
                cosine = repr(float(mesh.mesh.cos_alpha))
                out += [f"{cosine}*({advance(mesh, 'q')})", f"{cosine}*({advance(mesh, 'v', rate=True)})"]
        return out

    def _value(self, signal: LaneSignal) -> str:
        if signal.kind == ROTOR:
            free = signal.index in self._force.free
            return f"{'y' if signal.name == 'angle' else 'u'}{signal.index}" if free else "0.0"
        mesh = self._force.meshes[signal.index]
        return mesh_signal(mesh, signal.name)
