"""Damper of a mesh at a stage, as `elements.mesh_damper`: text.

In frozen text (see `cut_text`) variables replace comparisons: open{k}d and open{k}c, 1 or 0, that of the force of a flank with
zero; limit{k}, −1, 0 or 1, that of a LIMITED damper with the spring. `fresh` and renew{k} make them those of the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..lane_train import ALWAYS, LIMITED, NEVER_PULLING, OF_DEFLECTION
from .text import total

if TYPE_CHECKING:
    from .mesh_text import MeshText

__all__ = ["DamperText"]

_FAR = -1e300


class DamperText:
    """Text of the damper of a mesh."""

    def __init__(self, mesh: MeshText) -> None:
        self._mesh, self.k, self.mode = mesh, mesh.k, mesh.mesh.damping_mode
        self.coefficient = mesh.damping
        deflects = bool(self.coefficient) and mesh.mesh.damping_rate == OF_DEFLECTION
        self._deflects = deflects
        self._touches = deflects and mesh.loaded is not None
        self.turns = self._touches or (deflects and bool(mesh.terms.error_slopes))
        """Whether it depends on the speed of phases."""
        # without backlash teeth are in contact on both flanks, with a linear law
        self.never_pulls = bool(self.coefficient) and self.mode == NEVER_PULLING and bool(mesh.backlash or mesh.loaded)
        self._least = ""
        if self.never_pulls and not mesh.loaded:
            backlash = mesh.numbers.of(mesh.mesh.backlash)
            floor = np.where(backlash == 0.0, _FAR, 0.0) if np.ndim(backlash) else 0.0
            self._least = mesh.numbers.use(f"floor{self.k}", floor)

    @property
    def by_force(self) -> bool:
        """Whether the flank in contact is that which pushes: a linear law without backlash."""
        return bool(self.coefficient) and self.mode == NEVER_PULLING and self._mesh.one_sided

    @property
    def kinked(self) -> bool:
        """Whether the force has kinks besides those at the ends of contact."""
        return self._mesh.sides and (self.never_pulls or (bool(self.coefficient) and self.mode == LIMITED))

    @property
    def along_errors(self) -> str:
        """Force that acts along errors."""
        return f"F{self.k}" if self._deflects else f"f{self.k}"

    @property
    def touching(self) -> str:
        """Torque of the damper by the unloaded approach of tables, about their phase."""
        k = self.k
        if not self._touches:
            return ""
        if self.never_pulls:
            return f"(force{k}d - F{k}d)*turn{k}d + (force{k}c - F{k}c)*turn{k}c"
        return f"(F{k} - f{k})*lag{k}"

    def stage_text(self, frozen: bool) -> list[str]:
        """Lines up to F{k}."""
        k = self.k
        if not self.coefficient:
            return [f"F{k} = f{k}"]
        rate = self._mesh.approach_rate() if self._deflects else self._mesh.rate
        out = [f"rate{k} = {rate}"]
        if self._touches:
            loaded = self._mesh.loaded
            assert loaded is not None
            out.append(f"spin{k} = {loaded.phase_rate}")
        if self.never_pulls:
            return out + self._of_flanks(frozen)
        return out + self._of_both(frozen)

    def _of_flanks(self, frozen: bool) -> list[str]:
        """Flanks that never pull."""
        k, c, mesh = self.k, self.coefficient, self._mesh
        least = self._least or "0.0"
        on = (f"drive{k}", f"coast{k}") if frozen and mesh.sides else (f"({mesh.on_drive})", f"({mesh.on_coast})")
        if mesh.loaded:
            springs, rates = (f"force{k}d", f"force{k}c"), [f"rate{k}", f"-rate{k}"]
            if self._touches:
                rates = [f"{rate} - turn{k}{side}*spin{k}" for rate, side in zip(rates, "dc", strict=True)]
            shares = ("", "")
        elif mesh.rounded:
            springs, rates = mesh.rounded.forces, [f"rate{k}", f"-rate{k}"]
            shares, on = mesh.rounded.shares, ("", "")
        else:
            springs, rates, shares = (f"K{k}*e{k}", f"-K{k}*n{k}c"), [f"rate{k}", f"-rate{k}"], ("", "")
        out = []
        for n, side in enumerate("dc"):
            share = f"*{shares[n]}" if shares[n] else ""
            out.append(f"push{k}{side} = {springs[n]} + {c}*({rates[n]}){share}")
        if frozen and mesh.sides:
            out += [f"if fresh or renew{k}:", f"    renew{k} = False"]
            out += [f"    open{k}{side} = 1.0 if push{k}{side} < {least} else 0.0" for side in "dc"]
            out += [f"F{k}{side} = {on[n]}*(1.0 - open{k}{side})*push{k}{side}" for n, side in enumerate("dc")]
        else:
            factor = [f"{one}*" if one else "" for one in on]
            out += [f"F{k}{side} = {factor[n]}max(push{k}{side}, {least})" for n, side in enumerate("dc")]
        return [*out, f"F{k} = F{k}d - F{k}c"]

    def _contact(self, frozen: bool) -> str:
        """Number of flanks in contact; for loaded teeth at most 1; with rounded corners, the slope of g."""
        mesh = self._mesh
        if mesh.rounded:
            return mesh.rounded.slope
        drive, coast = self._on(frozen)
        return f"max({drive}, {coast})" if mesh.loaded else f"({drive} + {coast})"

    def _on(self, frozen: bool) -> tuple[str, str]:
        k, mesh = self.k, self._mesh
        return (f"drive{k}", f"coast{k}") if frozen else (f"({mesh.on_drive})", f"({mesh.on_coast})")

    def _of_both(self, frozen: bool) -> list[str]:
        """Laws that refer to both flanks together."""
        k, c, mode, mesh = self.k, self.coefficient, self.mode, self._mesh
        out, rate = [], f"rate{k}"
        if self._touches:
            drive, coast = self._on(frozen)
            out = [f"lag{k} = ({coast}*turn{k}c - {drive}*turn{k}d)/max({drive} + {coast}, 1.0)"]
            rate += f" + lag{k}*spin{k}"
        always = mode == ALWAYS or (mesh.one_sided and not mesh.rounded)
        contact = "" if always else f"*{self._contact(frozen)}"
        if mode != LIMITED:
            return [*out, f"F{k} = f{k} + {c}*({rate}){contact}"]
        # the sum neither pulls nor exceeds twice the spring
        out += [f"p{k} = {c}*({rate}){contact}"]
        if not (frozen and self.kinked):
            return [*out, f"h{k}_ = abs(f{k})", f"F{k} = f{k} + min(max(p{k}, -h{k}_), h{k}_)"]
        out += [f"h{k}_ = (drive{k} - coast{k})*f{k}", f"if fresh or renew{k}:", f"    renew{k} = False"]
        out += [f"    limit{k} = 1.0 if p{k} > h{k}_ else -1.0 if p{k} < -h{k}_ else 0.0"]
        return [*out, f"F{k} = f{k} + (p{k} if limit{k} == 0.0 else limit{k}*h{k}_)"]

    # ---- changes within a step

    @property
    def limits(self) -> list[str]:
        """Texts after a stage that cross zero at kinks."""
        k = self.k
        if not self.kinked:
            return []
        if self.mode == LIMITED:
            return [f"h{k}_ - abs(p{k})"]
        drive, coast = self._on(frozen=False)
        return [f"{drive}*push{k}d", f"{coast}*push{k}c"]

    def frozen_names(self) -> list[str]:
        """Variables that stay within a step, with their first values."""
        k = self.k
        if not self.kinked:
            return []
        names = [f"limit{k}"] if self.mode == LIMITED else [f"open{k}d", f"open{k}c"]
        return [*(f"{name} = 0.0" for name in names), f"renew{k} = True"]

    def events(self) -> list[tuple[str, str, str, str]]:
        """Changes: (value that crosses zero, its sign now, line that makes the change, condition)."""
        k = self.k
        if not self.kinked:
            return []
        if self.mode == LIMITED:
            return [
                (
                    value,
                    f"-1.0 if limit{k} == {limit} else 1.0",
                    f"limit{k} = 0.0 if limit{k} == {limit} else {limit}",
                    f"drive{k} + coast{k} > 0.0",
                )
                for value, limit in ((f"h{k}_ - p{k}", "1.0"), (f"h{k}_ + p{k}", "-1.0"))
            ]
        return [
            (
                total([f"push{k}{side}", f"-{self._least}" if self._least else ""]),
                f"1.0 - 2.0*open{k}{side}",
                f"open{k}{side} = 1.0 - open{k}{side}",
                f"{flank}{k} > 0.0",
            )
            for flank, side in (("drive", "d"), ("coast", "c"))
        ]
