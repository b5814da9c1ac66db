"""Practical gears at random, and the tools that cut them as plain shapes."""

import math
from collections.abc import Iterator

import numpy as np

from pitchline.errors import ModelError
from pitchline.gears import Gear
from pitchline.parts.gears.teeth import Teeth


def random_gears(count: int, seed: int, *, internal: bool = False, conical: bool = False) -> Iterator[Teeth]:
    """Teeth of gears as they are made: modules 0.5 to 10 mm, 8 to 120 teeth, pressure angles 15 to 27 degrees."""
    rng = np.random.default_rng(seed)
    found = 0
    while found < count:
        z = int(rng.integers(40, 140) if internal else rng.integers(8, 120))
        shift = rng.uniform(-0.3, 0.5) if internal or z > 30 else rng.uniform(-0.1, 0.6)
        data = {
            "teeth": z,
            "normal_module": 1e-3 * rng.uniform(0.5, 10.0),
            "normal_pressure_angle": f"{rng.uniform(15.0, 27.0)} deg",
            "helix_angle": f"{rng.choice([0.0, rng.uniform(-35.0, 35.0)])} deg",
            "profile_shift": shift,
            "addendum_factor": rng.uniform(0.8, 1.1),
            "dedendum_factor": rng.uniform(1.15, 1.35),
            "tip_alteration": -0.1 * max(shift, 0.0),
            "backlash_allowance": 1e-3 * rng.choice([0.0, 0.02]),
            "internal": internal,
        }
        tilt = f"{rng.uniform(-8.0, 8.0)} deg" if conical else 0.0
        try:
            gear = Gear(**data)
            gear = gear.with_(face_width=gear.normal_module * rng.uniform(2.0, 5.0))
            teeth = Teeth(gear, profile_shift_angle=tilt)
        except ModelError:
            continue
        found += 1
        yield teeth


def into_rack(teeth: Teeth, points: np.ndarray) -> np.ndarray:
    """How deep the rack goes into points (n,) of the section ζ = 0 (complex, left side), at its worst position [m].

    The rack tooth as a plain shape: half planes of its land and its flank, with a rounded corner. The wheel turns by φ,
    the rack moves by rφ; the depth is greatest over φ, found by sampling and zooming in.
    """
    rack = teeth.rack
    alpha, r = rack.pressure_angle, rack.reference_radius
    sine, cosine = math.sin(alpha), math.cos(alpha)
    (cd, ce), rho = rack.centre, rack.radius

    def depth(phi: np.ndarray) -> np.ndarray:
        P = points[:, None] * np.exp(1j * phi)
        d = P.real - r - rack.shift
        e = (P.imag - r * phi) * math.cos(rack.helix_angle)
        flank = sine * d + cosine * e - rack.half_space * cosine
        plain = np.minimum(d + rack.depth, flank)
        # in the sector of the corner the rounding counts; (u, v) from its centre
        u, v = d - cd, e - ce
        psi = np.arctan2(-v, -u)
        corner = (psi > 0.0) & (psi < 0.5 * math.pi - alpha)
        return np.where(corner, rho - np.hypot(u, v), plain)

    centre = np.zeros(len(points))
    width = np.full(len(points), 2.5 * rack.module / r + 0.6)
    for _ in range(22):
        phi = centre[:, None] + width[:, None] * np.linspace(-1.0, 1.0, 401)
        found = depth(phi)
        best = np.argmax(found, axis=1)
        centre = phi[np.arange(len(points)), best]
        width = width / 8.0
    return found.max(axis=1)
