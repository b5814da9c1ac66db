"""Warnings of statics for friction and losses of loaded teeth, which statics does not include."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..gears import GearPair, Rack
from ..model import Model
from ..model.functions import Function
from ..model.gear_mesh import GearMesh
from ..model.masses import total_mass
from ..model.meshes import FrictionTable, Stribeck
from ..results.signal import Signal

__all__ = ["could_be_held", "friction_left_out"]

NOTED = 0.05
"""Fraction of the tooth torque that friction or losses could carry, from which a warning is given."""
NO_FORCE = 1e-9
"""Tooth force that counts as round-off, as a fraction of the force that deflects the teeth by a module; for rigid "
"teeth, of all weights."""


def friction_left_out(model: Model, signals: Mapping[str, Signal]) -> list[str]:
    """Warn for every loaded gear pair whose friction or losses could support more than a small fraction of the load."""
    forces = {name: abs(float(signals[f"{name}.normal_force"].values[-1])) for name in model.gear_pairs}
    weight = total_mass(model) * max(1.0, math.hypot(*model.gravity))
    found = []
    for name, pair in model.gear_pairs.items():
        share = _share(pair)
        large = weight if pair.law.rigid else pair.law.mean_stiffness * pair.pair.pitch.normal_module
        if share < NOTED or forces[name] <= NO_FORCE * large:
            continue
        cause = _cause(pair)
        could = (
            "could support all of its torque: the pair is self-locking"
            if share >= 1.0
            else f"could support {100.0 * share:.2g} % of its torque"
        )
        found.append(
            f'statics does not include friction: gear pair "{name}" carries {forces[name]:.4g} N, and its {cause} '
            f"{could}. Torques of the "
            "machine at rest can differ from these by this amount. To include friction, run dynamics at low speed"
        )
    return found


def could_be_held(model: Model) -> str:
    """Advice if statics finds no equilibrium: gear pairs whose friction could hold the model."""
    names = [f'"{name}"' for name, pair in model.gear_pairs.items() if _share(pair) >= NOTED]
    if not names:
        return ""
    return (
        f". Statics does not include friction, such as that of gear pair{'s' if len(names) > 1 else ''} {', '.join(names[:3])}. If "
        "friction holds the machine, as in a self-locking worm gear, fix its shaft with a drive, or use dynamics"
    )


def _share(pair: GearMesh) -> float:
    """Largest part of the torque of the teeth about an axis that friction, or the losses, can carry; 1: the pair locks itself.

    Friction acts at the pitch point along the teeth, where the pair slides along them: mu F_n tan(beta) / cos(alpha) of the torque
    about a wheel of helix angle beta; a worm has 90 deg less its lead angle.
    """
    law, pitch = pair.law, pair.pair.pitch
    if law.sticks:
        return 0.0  # statics includes it
    if law.efficiency is not None:
        return 1.0 - min(law.efficiency)
    if law.friction is not None and law.path > 0.0 and isinstance(pair.pair, GearPair):
        return min(1.0, _at_rest(pair) * pair.pair.loss_factor)
    if law.friction is None or not _slides(pair):
        return 0.0
    steepest = max(abs(math.tan(pitch.beta_a)), abs(math.tan(pitch.beta_b)))
    return min(1.0, _at_rest(pair) * steepest / math.cos(pitch.pressure_angle))


def _slides(pair: GearMesh) -> bool:
    """Whether the teeth slide along each other at the pitch point as the wheels turn: axes that neither meet nor are parallel."""
    geometry = pair.pair
    if not isinstance(geometry, GearPair):
        return False
    return geometry.kind.crossed or (isinstance(geometry.b, Rack) and geometry.shaft_angle > 1e-6)


def _at_rest(pair: GearMesh) -> float:
    """The coefficient of friction without speed."""
    friction = pair.law.friction
    if isinstance(friction, Stribeck):
        return friction.static
    if isinstance(friction, FrictionTable):
        return float(friction.coefficients[:, 0].max())
    return float(friction(0.0)) if isinstance(friction, Function) else float(friction or 0.0)


def _cause(pair: GearMesh) -> str:
    if pair.law.efficiency is not None:
        return f"losses (efficiency {min(pair.law.efficiency):g})"
    return f"friction (coefficient {_at_rest(pair):.3g} at rest)"
