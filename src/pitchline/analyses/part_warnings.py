"""Warnings about single parts at an equilibrium, and the way from one equilibrium to the next along the drives."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from pitchline.engine.compile.system import State, System
from pitchline.engine.elements.contract import ANGLE
from pitchline.engine.solvers.consistent import displace, quasi_static_velocities
from pitchline.engine.solvers.directions import StoppedSearch
from pitchline.engine.solvers.equilibrium import Balance
from pitchline.facades import element_of_package
from pitchline.functions.piecewise import Constant, Function
from pitchline.model.model import Model
from pitchline.parts.bodies.kernel_constraint import SCALAR_CONSTRAINT
from pitchline.parts.bodies.plane_checks import total_mass
from pitchline.parts.gears.geometry.inputs import in_mm
from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.gears.geometry.rack import Rack
from pitchline.parts.meshes.laws.common import FrictionTable, Stribeck
from pitchline.parts.meshes.laws.flank import Flank
from pitchline.parts.meshes.part import GearMesh
from pitchline.results.signal import Signal

from .start_positions import imposed_value

__all__ = [
    "follow_drives",
    "with_friction_in_motion",
    "could_be_held",
    "friction_left_out",
    "large_deformations",
    "matrices_of",
    "slipping_belts",
    "wrinkled_membranes",
]


FAR = 1.0
"""Difference between a driven angle and its prediction [rad] above which an intermediate time is computed first."""
HALF_TURN = 3.0
"""Above this angle [rad] the nearest position with the same pose may belong to another revolution."""
SHORTEST = 1e-9
"""Shortest intermediate step, as a fraction of the whole step."""
MOST_SEARCHES = 2000
"""Largest number of equilibria on the way to one time."""
MOST_PIECES = 100_000
"""Largest number of pieces of one prediction."""


def follow_drives(search: StoppedSearch, now: float, *, first: bool = False) -> Balance:
    """Find the equilibrium at the time `now`, with its velocities, from the present state of a search.

    first: the present state is not an equilibrium yet, and its velocities are not those of the drives.

    The start is predicted with the velocities. If the prediction misses the driven angles, or no equilibrium is found from there,
    intermediate times are computed first: an angle that is off by more than half a revolution would be found on another one."""
    system, state = search.system, search.state
    begin = state.t
    way = [now]
    iterations = 0
    if first:
        state.v[:] = 0.0
        if now > begin:
            way.append(begin)
    searches = 0
    while way:
        before = state.copy()
        if not _predict(system, state, way[-1]):
            far = _motion(system, state) * (now - begin)
            return Balance(
                False, iterations, 0.0, f"the motion from the position before is {far:.3g} rad or model lengths"
            )
        off, drive = _farthest(system, state)
        divisible = way[-1] - before.t > SHORTEST * (now - begin)
        if off > FAR and divisible:
            _restore(state, before)
            way.append(0.5 * (before.t + way[-1]))
            continue
        if off > HALF_TURN:
            return Balance(False, iterations, 0.0, f'the angle of drive "{drive}" jumps by {off:.3g} rad')
        searches += 1
        if searches > MOST_SEARCHES:
            why = f"the motion from the position before needs more than {MOST_SEARCHES} intermediate positions"
            return Balance(False, iterations, 0.0, f"{why} (reached: t = {state.t:.6g} s)")
        balance = search.run()
        iterations += balance.iterations
        if not balance.converged:
            if off > 0.01 * FAR and divisible:
                _restore(state, before)
                way.append(0.5 * (before.t + way[-1]))
                continue
            if first and state.t == begin < now:
                _restore(state, before)
                way.pop()  # the time asked for may have an equilibrium all the same
                continue
            return Balance(False, iterations, balance.imbalance, balance.worst)
        state.v[:] = quasi_static_velocities(system, state)
        way.pop()
    return Balance(True, iterations, balance.imbalance, "", external=balance.external, rounding=balance.rounding)


def _motion(system: System, state: State) -> float:
    """Largest speed of a coordinate, in radians or lengths of the model per second."""
    return float(np.max(np.abs(state.v) * system.layout.weight[: system.n_q], initial=0.0))


def _predict(system: System, state: State, now: float) -> bool:
    """Move on along the velocities, in pieces short enough for angles to count their turns. False: too many pieces."""
    way = _motion(system, state) * (now - state.t)
    if way > MOST_PIECES:
        return False
    pieces = max(1, math.ceil(way))
    if way > 0.0:
        for _ in range(pieces):
            displace(system, state, (now - state.t) / pieces * state.v)
            system.commit(state)
    state.t = now
    return True


def _farthest(system: System, state: State) -> tuple[float, str]:
    """How far a driven angle is from its target, turns counted [rad], and the name of its drive."""
    found = (0.0, "")
    for e in system.layout.driven:
        element = system.elements[e]
        assert element.kind is SCALAR_CONSTRAINT
        if element.values["on"]["kind"] == ANGLE:
            target = imposed_value(system, state, int(e))
            assert target is not None
            found = max(found, (abs(target - float(state.mem[system.mem0[e]])), element.name))
    return found


def _restore(state: State, before: State) -> None:
    state.t = before.t
    state.v[:], state.vd[:] = before.v, before.vd
    state.go_back(before)


# ---- friction in motion

# Friction of joints for equations in joint coordinates: it acts against the motion, and is zero at rest.
#
# Friction that sticks removes a degree of freedom. In joint coordinates the motion is given, so that each friction is
# a torque or a force that depends on the speed of its joint.

ON_JOINTS = ("friction", "sliding_friction")
BETWEEN_JOINTS = ("clutch",)
SAME = ("on", "static_ratio", "stribeck_speed", "viscous", "against")


def with_friction_in_motion(model: Model) -> tuple[Model, list[str]]:
    """The model with friction that does not stick, and warnings for friction that is left out."""
    left, added, warnings = [], [], []
    for name, element in model.elements.items():
        if element.key not in (*ON_JOINTS, *BETWEEN_JOINTS):
            continue
        left.append(name)
        capacity = element.values["capacity"]
        if element.key in ON_JOINTS and isinstance(capacity, Constant):
            values = {key: element.values[key] for key in SAME}
            added.append(element_of_package("motion_friction")(name, capacity=float(capacity(0.0)), **values))
        else:
            warnings.append(
                f'"{name}": joint coordinates do not include this friction, because it changes with time or connects two joints'
            )
    if not left:
        return model, []
    other = model.replaced(without=left)
    for element in added:
        other.add(element)
    return other, warnings


# ---- friction left out

# Warnings of statics for friction and losses of loaded teeth, which statics does not include.

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


# ---- large deformations

# Warnings for flexible bodies whose deformation is too large for their matrices.

SMALL = 0.05
"""Relative rotation of two interfaces up to which deformations are small [rad]. The error is proportional to its square."""
SMALL_DEFLECTION = 0.05
"""Deflection of teeth by the normal module up to which it has no effect on their geometry, as in `loaded_contact`."""


def large_deformations(model: Model, signals: Mapping[str, Signal]) -> list[str]:
    """Warn for each flexible body whose interfaces rotate relative to each other by more than a small angle, and for elastic
    flanks that deflect too much."""
    found = []
    for name, body in model.flexible_bodies.items():
        first, *others = body.stations.values()
        worst = 0.0
        for other in others:
            ends = [signals.get(f"{station.name}.orientation") for station in (first, other)]
            if ends[0] is None or ends[1] is None:
                continue
            at_rest = first.orientation.T @ other.orientation
            worst = max(worst, _largest_turn(ends[0].values, ends[1].values, at_rest))
        if worst > SMALL:
            found.append(
                f'flexible body "{name}": its interfaces rotate relative to each other by {worst:.2g} rad. Its stiffness is valid '
                f"for small deformations, up to about {SMALL:g} rad. Check the loads and units"
            )
    return found + _deflected_flanks(model, signals)


def _deflected_flanks(model: Model, signals: Mapping[str, Signal]) -> list[str]:
    """Warn for each pair with elastic flanks whose teeth deflect by more than a small part of the module."""
    found = []
    for name, pair in model.gear_pairs.items():
        deflection = signals.get(f"{name}.deflection")
        if not isinstance(pair.mesh, Flank) or deflection is None:
            continue
        most, module = float(np.max(np.abs(deflection.values), initial=0.0)), pair.pair.pitch.normal_module
        if most > SMALL_DEFLECTION * module:
            found.append(
                f'gear pair "{name}": the teeth deflect by {in_mm(float(f"{most:.3g}"))}, {most / module:.2g} modules: the method '
                "is for small deflections. Its errors, also that of the energy balance, do not fall with the step. Reduce "
                "loads, springs or speeds, or check their units"
            )
    return found


def _largest_turn(a: np.ndarray, b: np.ndarray, at_rest: np.ndarray) -> float:
    """Largest angle of the rotation between two orientations (n, 4), against that at rest."""
    Ra, Rb = matrices_of(a), matrices_of(b)
    trace = np.einsum("nij,nik,jk->n", Ra, Rb, at_rest)
    # 1 - cos resolves small angles badly: an angle of 0.05 rad is far above that
    return float(np.arccos(np.clip((trace - 1.0) / 2.0, -1.0, 1.0)).max(initial=0.0))


def matrices_of(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 3, 3) of unit quaternions (w, x, y, z)."""
    w, x, y, z = np.atleast_2d(q).T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


# ---- slipping belts

# Warnings of statics and kinematics for belts that would slip.


def slipping_belts(model: Model, signals: Mapping[str, Signal]) -> list[str]:
    """Warn for every belt whose load is above its limit by friction: without time it does not slip."""
    found = []
    for name, element in model.elements.items():
        signal = signals.get(f"{name}.friction_use") if type(element).key == "belt_drive" else None
        most = 0.0 if signal is None else float(np.max(np.abs(signal.values), initial=0.0))
        if most > 1.0:
            found.append(
                f'belt drive "{name}": the transmitted force is {most:.3g} times its limit by friction. A real belt slips; statics '
                "and kinematics keep it without slip. Use dynamics, or increase pretension or friction"
            )
    return found


# ---- wrinkled membranes

# Warnings for membranes under compression: without bending stiffness they wrinkle.

COMPRESSED = 0.01
"""Compression, relative to the largest stress of the membrane, from which it is reported."""


def wrinkled_membranes(model: Model, signals: Mapping[str, Signal]) -> list[str]:
    """One warning for each membrane in space with elements under compression at any sample."""
    found = []
    for name, membrane in model.membranes.items():
        parts = [signals.get(f"{name}.stress_{axes}") for axes in ("xx", "yy", "xy")]
        if model.plane is not None or any(part is None for part in parts):
            continue
        count = len(membrane.mesh.elements)
        xx, yy, xy = (np.asarray(part.values).reshape(-1, count) for part in parts if part is not None)
        least = 0.5 * (xx + yy) - np.hypot(0.5 * (xx - yy), xy)
        largest = float(max(np.abs(xx).max(), np.abs(yy).max(), np.abs(xy).max()))
        pressed = int(np.sum(np.nanmin(least, axis=0) < -COMPRESSED * largest)) if largest > 0.0 else 0
        if pressed:
            found.append(
                f'membrane "{name}": {pressed} of {count} elements are under compression, down to {1e-6 * np.nanmin(least):.3g} '
                "MPa. A sheet without bending stiffness wrinkles there, and the wrinkles depend on the mesh. Specify a prestress, "
                "use a planar model if it cannot move out of its plane, or a flexible body if it resists bending"
            )
    return found
