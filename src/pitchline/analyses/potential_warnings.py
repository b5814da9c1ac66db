"""Warnings for runs in which tooth forces without a potential add energy to the motion, or remove it."""

from __future__ import annotations

import numpy as np

from ..model import Model
from ..model.gear_mesh import GearMesh
from ..model.mesh_law import MeshLaw
from ..model.meshes import Varying
from ..model.meshes.varying import TIME
from ..results.signal import Signal
from .signals import TEETH_WORK

__all__ = ["teeth_without_potential"]

NOTED = 0.01
"""Energy added by the teeth, as a fraction of the exchanged energy, above which a warning is given."""

NO_MOTION = 1e-9
"""Motion of pitch points, as a fraction of the module, that counts as round-off."""


def teeth_without_potential(model: Model, signals: dict[str, Signal]) -> list[str]:
    """Warn if the teeth add more than a small fraction of the exchanged energy.

    This is the largest change of the kinetic and of the potential energy, and the dissipated energy."""
    if TEETH_WORK not in signals:
        return []
    teeth = signals[TEETH_WORK].values
    k = int(np.argmax(np.abs(teeth)))
    energies = (signals[f"energy.{name}"].values for name in ("kinetic", "potential", "dissipated"))
    moving = max(float(np.ptp(values)) for values in energies)
    if not moving or abs(teeth[k]) < NOTED * moving:
        return []
    pushed = [name for name, pair in model.gear_pairs.items() if _pushed(pair, signals)]
    torques = [name for name, pair in model.gear_pairs.items() if _lacks_torques(pair.law)]
    causes = []
    if pushed:
        causes.append(
            f"the separating force of {_listed(pushed)} is not derived from the energy of the teeth "
            "(follow_centres=True changes this)"
        )
    if torques:
        causes.append(
            f"errors and varying stiffness of {_listed(torques)} act without their torques (energy_consistent=True adds them)"
        )
    share = 100 * abs(float(teeth[k])) / moving
    percent = f"{share:.0f}" if share >= 10 else f"{share:.2g}"
    did = "put" if teeth[k] > 0 else "took"
    return [
        f"teeth {did} {abs(float(teeth[k])):.3g} J {'into' if teeth[k] > 0 else 'out of'} the motion by t = "
        f"{float(signals[TEETH_WORK].time[k]):.4g} s, {percent} % of the exchanged energy: "
        f"{'; '.join(causes)}; see {TEETH_WORK}"
    ]


def _pushed(pair: GearMesh, signals: dict[str, Signal]) -> bool:
    """Whether it has a separating force without a potential, and its pitch points moved against each other."""
    apart = signals.get(f"{pair.name}.misalignment")
    if apart is None or not pair.law.separating or pair.law.follow_centres:
        return False
    return float(np.ptp(apart.values)) > NO_MOTION * pair.pair.pitch.normal_module


def _lacks_torques(law: MeshLaw) -> bool:
    parts = (*law.stiffness, *law.errors, *law.plays)
    varies = law.tables is not None or any(isinstance(part, Varying) and part.over != TIME for part in parts)
    return varies and not law.energy_consistent


def _listed(names: list[str]) -> str:
    shown = ", ".join(f'"{name}"' for name in names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"gear pair{'s' if len(names) > 1 else ''} {shown}{more}"
