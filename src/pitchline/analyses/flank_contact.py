"""Contact patches and pressures of elastic gears at rest under a torque.

Gear A has the angle φ_A. The torque T turns gear B against it until f c_B = T, where f is the force along the hoop and
c_B = m_n z_B/2. There are three methods. With cells (`analyses.flank_cells`) contact is resolved along face and profile. With
strips the law of elastic flanks in motion is used (`elements.flank_law`) with static modes: all compliance is static. Then f
increases with the approach u of the teeth with a known slope. Newton's method with bounds gives u. With nodes
(`analyses.flank_nodes`) the contact is that of `node_contact_motion`: nodes on surfaces, a penalty, and deflection by a number
of modes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from ..arguments import names_wrong_arguments
from ..budget import budgeted
from ..contact.flank_data import FlankData, flank_data
from ..elements.flank_records import U
from ..errors import ModelError, PitchlineError, shown
from ..fem.elastic_gear import BORES, ElasticGear, elastic_gear
from ..gears import Gear, GearPair
from ..gears.directions import lever_of_b
from ..gears.inputs import number, whole
from ..gears.surfaces import SurfaceTeeth
from ..gears.teeth import Teeth, place_teeth
from ..model import Model
from ..progress import current, staged
from ..results.flank_contact import ContactPatch, FlankContact
from ..system.flank_tables import encode_flanks
from ..units import quantity
from .contact_gears import closed_form, contact_gears
from .flank_cells import CellContact
from .flank_nodes import NodeContactAtRest, pressed_nodes

__all__ = ["flank_contact"]

FloatArray = npt.NDArray[np.float64]

_WHAT = "flank contact"
METHODS = ("cells", "strips", "nodes")
_OF_NODES = ("modes", "penalty", "slave")
_ITERATIONS = 100
_EDGE_BEYOND = 1.1
"""Ratio of the pressures at edges and on flanks from which a warning states it."""
_NARROW = 0.5
"""Half width divided by strip width above which the assumption of narrow contact overestimates the coupling of neighbours."""
_FEW = 4
_ACROSS = 21
"""Number of points across a strip at which Hertz's pressure is given."""
_FARTHEST = 0.15
"""Largest computed gap, in modules (`contact.strip_gaps`)."""


@names_wrong_arguments
@staged("contact of two elastic gears")
@budgeted
def flank_contact(
    a: ElasticGear | Teeth | Gear | GearPair | Model,
    b: ElasticGear | Teeth | Gear | str | None = None,
    *,
    torque: object,
    phase: object = 0.0,
    bore: str = "fixed",
    centre_distance: object = None,
    elements_a: Mapping[str, object] | None = None,
    elements_b: Mapping[str, object] | None = None,
    method: str = "cells",
    strips: object = 24,
    cells: object = 15,
    modes: object = None,
    penalty: object = None,
    slave: str = "both",
    progress: Callable[[float, str], None] | None = None,
    budget: object = None,
) -> FlankContact:
    """The contact of elastic flanks at rest under a torque: patches, pressures and load shares of all pairs of teeth.

    For every pair that the mesh `Flank` supports, including conical involute gears on shafts at an angle.

    Parameters
    ----------
    a, b
        A `Gear` with its modifications or `Teeth` (the elasticity is then computed and kept), or an `ElasticGear`; or one
        `GearPair`; or a model and the name of a gear pair.
    torque
        Torque on gear B [N m], one or more values with the same sign. Positive: the left flanks of A touch. Negative: the
        right ones.
    phase
        Angle of A in pitches, one or more values. At 0, tooth 0 of A points to the axis of B.
    bore
        "fixed", "free" or "shaft": support of gears that are given as `Teeth`.
    centre_distance
        Centre distance of parallel axes [m]; default: the distance without backlash.
    elements_a, elements_b
        Grid options for gears that are given as `Teeth`, as for `sector_grid`: ``{"face_elements": 12}``.
    method
        "cells": contact resolved along face and profile, including the ends of the flanks, in less than a second. "strips": the
        law of the mesh `Flank`, in milliseconds, with Hertzian line contact in each strip. Strips are the lines of nodes along
        the face of A, twice its face_elements plus one. The method is valid for half widths below about half a strip. "nodes":
        the contact of `node_contact_motion`, as published by Do, Ziegler and Eberhard; the strips of its patches are the lines of
        nodes along the face of A, and forces are those of its nodes.
    strips, cells
        Number of strips and cells of a patch, along the face and along the profile, for the method "cells".
    modes, penalty, slave
        For the method "nodes", as for `node_contact_motion`.
    progress
        Function that is called with the completed fraction, from 0 to 1, and the present task.
    budget
        Longest computing time that is not asked for, such as "8 h", or "unlimited"; default "1 h". If the estimate is longer,
        BudgetError states it.
    """
    torques = _torques(torque)
    phases = _phases(phase)
    if bore not in BORES:
        raise ModelError(f'{_WHAT}: bore must be "fixed", "free" or "shaft", got {shown(bore)}')
    if not closed_form(a, b):
        raise ModelError(
            f"{_WHAT} is for involute gears on parallel axes and conical involute gears. Use loaded_contact, which computes "
            "patches and pressures of all other pairs"
        )
    gears = contact_gears(a, b, _WHAT, centre_distance=centre_distance)
    if gears.face_offset or gears.deviation or gears.inclination:
        raise ModelError(f"{_WHAT}: the gears of the model have offset faces or misaligned axes. Use loaded_contact")
    for name, gear, elements in (("a", gears.a, elements_a), ("b", gears.b, elements_b)):
        if isinstance(gear, ElasticGear) and elements is not None:
            raise ModelError(f"{_WHAT}: gear {name} already has finite elements. Leave out elements_{name}")
    if method not in METHODS:
        raise ModelError(f'{_WHAT}: method must be "cells", "strips" or "nodes", got {shown(method)}')
    many = whole(strips, f"{_WHAT}: strips", at_least=6, at_most=200)
    across = whole(cells, f"{_WHAT}: cells", at_least=5, at_most=100)
    teeth_a, teeth_b = gears.teeth
    if teeth_a.gear.internal:
        raise ModelError(f"{_WHAT}: specify the pinion first and the internal gear second")
    pose, play = place_teeth(teeth_a, teeth_b, gears.centre_distance)
    tell = current().telling(progress)
    side = "left" if torques[0] > 0.0 else "right"
    options = ((gears.a, elements_a, "gear a"), (gears.b, elements_b, "gear b"))
    pressed: _Pressed | CellContact | NodeContactAtRest
    reach = math.inf
    if method == "nodes":
        pressed = pressed_nodes(options, pose, bore, side, play, modes, penalty, slave)
    else:
        given = [
            name for name, value in zip(_OF_NODES, (modes, penalty, slave), strict=True) if value not in (None, "both")
        ]
        if given:
            raise ModelError(f'{_WHAT}: {given[0]} is for method="nodes", but the method is "{method}". Leave it out')
        elastic_a, elastic_b = (_elastic(gear, bore, elements, what, tell) for gear, elements, what in options)
        reach = min(int(elastic_a.offsets[-1]), int(elastic_b.offsets[-1]))
        tell(0.0, "gaps of the flanks")
        if method == "cells":
            pressed = CellContact(elastic_a, elastic_b, pose, side=side, strips=many, cells=across)
        else:
            pressed = _Pressed(flank_data(elastic_a, elastic_b, pose))
    shape = (len(torques), len(phases))
    approach, slope = np.empty(shape), np.empty(shape)
    patches = []
    for t, T in enumerate(torques):
        row = []
        for i, x in enumerate(phases):
            approach[t, i], slope[t, i], found = pressed.press(float(T), float(x))
            row.append(found)
            tell((t * len(phases) + i + 1) / (len(phases) * len(torques)), "contact")
        patches.append(tuple(row))
    lever, radius = pressed.lever_b, lever_of_b(teeth_a.gear, teeth_b.gear)
    warnings = _common_warnings(tuple(patches), reach)
    if isinstance(pressed, _Pressed):
        warnings += _strip_warnings(pressed, tuple(patches), approach)
    return FlankContact(
        torque=torques,
        phase=phases,
        transmission_error=(approach / lever - play) * radius,
        stiffness=slope * (lever / radius) ** 2,
        patches=tuple(patches),
        a=teeth_a,
        b=teeth_b,
        side=side,
        method=method,
        centre_distance=None
        if gears.centre_distance is None
        else quantity(gears.centre_distance, "length", what=f"{_WHAT}: centre_distance"),
        warnings=warnings,
    )


def _torques(value: object) -> FloatArray:
    many = value if isinstance(value, (list, tuple, np.ndarray)) else [value]
    T = np.array([quantity(one, "torque", what=f"{_WHAT}: torque") for one in many])
    if len(T) == 0 or (T == 0.0).any() or (np.sign(T) != np.sign(T[0])).any():
        raise ModelError(f"{_WHAT}: torque must be one or more values with the same sign, not zero, got {shown(value)}")
    return T


def _phases(value: object) -> FloatArray:
    many = value if isinstance(value, (list, tuple, np.ndarray)) else [value]
    if len(many) == 0:
        raise ModelError(f"{_WHAT}: phase must be one or more angles of gear A in pitches, got {shown(value)}")
    return np.array([number(one, f"{_WHAT}: phase") for one in many])


def _elastic(
    gear: ElasticGear | Teeth | SurfaceTeeth,
    bore: str,
    elements: Mapping[str, object] | None,
    what: str,
    tell: Callable[[float, str], None],
) -> ElasticGear:
    if isinstance(gear, ElasticGear):
        return gear
    try:
        return elastic_gear(gear, bore=bore, grid=elements, progress=lambda part, doing: tell(0.0, f"{what}: {doing}"))
    except ModelError as error:
        raise ModelError(f"{_WHAT}: {what}: {error}") from None


class _Pressed:
    """Contact law of a pair of gears at rest, with the strips in contact."""

    def __init__(self, data: FlankData) -> None:
        self.data = data
        gear_a, gear_b = data.a.teeth.gear, data.b.teeth.gear
        self.lever_b = 0.5 * gear_b.normal_module * gear_b.teeth
        self.pitch = gear_a.angular_pitch
        self.flanks = encode_flanks(data, lever_b=self.lever_b).alone()
        self._last = 0.0

    def _force(self, u: float, psi: float) -> tuple[float, float]:
        """Force along the hoop and its slope, at rest."""
        self.flanks.forget()
        if not self.flanks.rest(u, psi):
            raise PitchlineError(
                f"{_WHAT}: the forces of the strips did not converge at an approach of {1e6 * u:.4g} µm. The contact "
                "is wider than the "
                "strips. Use fewer face_elements or a smaller torque"
            )
        found = self.flanks.memory["contact"]
        return float(found["force"]), float(found["second"][U, U])

    def press(self, torque: float, phase: float) -> tuple[float, float, tuple[ContactPatch, ...]]:
        """Approach [m], slope of the force along the hoop by it [N/m], and patches, under a torque [N m] at a phase."""
        sign, psi = math.copysign(1.0, torque), phase * self.pitch
        wanted = abs(torque) / self.lever_b
        low, high = 0.0, math.inf
        u = self._last or 1e-2 * self.data.a.teeth.gear.normal_module
        for _ in range(_ITERATIONS):
            force, slope = self._force(sign * u, psi)
            short = wanted - sign * force
            if abs(short) <= 1e-10 * wanted:
                self._last = u
                return u, slope, self._patches()
            low, high = (u, high) if short > 0.0 else (low, u)
            new = u + short / slope if slope > 0.0 else math.inf
            if not low < new < high:
                new = 2.0 * u if math.isinf(high) else 0.5 * (low + high)
            if abs(new - u) <= 1e-15 * u:
                break
            u = new
        raise PitchlineError(
            f"{_WHAT}: the teeth do not carry {torque:g} N m at phase {phase:g}. Their deflection is larger than the computed gaps"
        )

    def _patches(self) -> tuple[ContactPatch, ...]:
        """Of the state that was found last, from the scratch of the law."""
        data = self.data
        strips = self.flanks.candidates
        strips = strips[strips["force"] > 0.0]
        grid_b = data.b.grids["left"]
        face_b = strips["hat_b"] % grid_b.shape[1] + strips["face_weight"]
        zeta_b = np.interp(face_b, np.arange(grid_b.shape[1]), grid_b.zeta)
        zeta_a = data.a.grids["left"].zeta[strips["strip"]]
        line_load = strips["force"] / strips["width"]
        modulus = float(self.flanks.parameters["modulus"])
        half, s = np.sqrt(4.0 * line_load * strips["radius"] / (math.pi * modulus)), np.linspace(-1.0, 1.0, _ACROSS)
        peak = np.sqrt(line_load * modulus / (math.pi * strips["radius"]))
        flank = data.a.teeth.left.involute
        found = []
        for tooth in np.unique(strips["tooth"]):
            own = strips["tooth"] == tooth
            found.append(
                ContactPatch(
                    tooth_a=int(tooth),
                    tooth_b=int(strips["tooth_b"][own][0]) % data.b.teeth.gear.teeth,
                    zeta_a=zeta_a[own],
                    zeta_b=zeta_b[own],
                    roll_a=strips["roll_a"][own],
                    roll_b=np.abs(strips["roll_b"][own]),
                    force=strips["force"][own],
                    strip_width=strips["width"][own],
                    radius=strips["radius"][own],
                    half_width=half[own],
                    middle=np.zeros(int(own.sum())),
                    pressure=peak[own],
                    across=half[own, None] * s,
                    across_pressure=peak[own, None] * np.sqrt(1.0 - s * s),
                    on_edge=False,
                    base_radius=flank.base_radius,
                    slope=math.cos(flank.base_helix_angle),
                    half_face=0.5 * data.a.teeth.gear.required_face_width(_WHAT),
                )
            )
        return tuple(found)


Patches = tuple[tuple[tuple[ContactPatch, ...], ...], ...]


def _common_warnings(patches: Patches, reach: float) -> tuple[str, ...]:
    every = [patch for row in patches for now in row for patch in now]
    edge = max((patch.peak_pressure for patch in every if patch.on_edge), default=0.0)
    inside = max((patch.peak_pressure for patch in every if not patch.on_edge), default=0.0)
    at_edges = (
        f"edge contact: {1e-6 * edge:.0f} MPa at a tip, an end of the face or the start of a linear relief, compared with "
        f"{1e-6 * inside:.0f} MPa on pairs of teeth without edge contact. At a sharp edge the pressure has no limit and depends "
        "on the cell size. To avoid it, relieve or crown the teeth with parabolic shapes",
    )
    found = at_edges if edge > _EDGE_BEYOND * inside else ()
    together = max(now[-1].tooth_a - now[0].tooth_a for row in patches for now in row)
    if together <= reach:
        return found
    return (
        *found,
        f"pairs of teeth {together} pitches apart carry load at the same time, but the elastic gears contain "
        f"neighbours up to {reach}. "
        f"Build them with offsets={together}",
    )


def _strip_warnings(pressed: _Pressed, patches: Patches, approach: FloatArray) -> tuple[str, ...]:
    """Where the law of strips is not what it is made for."""
    found = []
    every = [patch for row in patches for now in row for patch in now]
    wide = max(float((patch.half_width / patch.strip_width).max()) for patch in every)
    if wide > _NARROW:
        found.append(
            f"half widths of contact are up to {wide:.2g} strips, but strips are valid for narrow contact. Use fewer "
            "face_elements or "
            'method="cells"'
        )
    few = min(len(patch.force) for patch in every)
    if few < _FEW:
        found.append(f'a patch is only {few} strips long. Use more face_elements or method="cells"')
    flank = pressed.data.b.teeth.left.involute
    normal = float(np.abs(approach).max()) * flank.base_radius * math.cos(flank.base_helix_angle) / pressed.lever_b
    if normal > _FARTHEST * pressed.data.a.teeth.gear.normal_module:
        found.append(
            f"the tooth deflection is {1e3 * normal:.3g} mm, but gaps of strips are computed up to {_FARTHEST:g} "
            "modules. Pairs of teeth "
            'that would come into contact beyond this are left out. Use method="cells"'
        )
    return tuple(found)
