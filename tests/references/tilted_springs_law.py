"""Springs over a tilted face, for comparison: the energy of each flank by integration over the part of the face in contact."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from references.gear_mesh_cases import MeshState, some_law
from references.hoop_law import HoopForces, HoopLaw
from references.tilt_law import TiltedMesh

POINTS, WEIGHTS = np.polynomial.legendre.leggauss(4)


@dataclass(frozen=True, kw_only=True)
class SpringsOverFace(HoopLaw):
    """The stiffness spread over a width, at the tilt of each flank; complex tilts too."""

    tilt_width: float
    across: float = 0.9
    towards: float = 0.4

    def over_face(self, function: Callable[[complex], complex], depth: complex, tilt: complex) -> np.ndarray:
        """Mean over the face, |y| < w/2, of function(depth + tilt y) and of y times it, where the depth is positive."""
        half = 0.5 * self.tilt_width
        low, high = -half + 0j, half + 0j
        if tilt != 0:
            edge = -depth / tilt
            if abs(np.real(edge)) < half:
                low, high = (edge, high) if np.real(tilt) > 0 else (low, edge)
            elif np.real(depth) < 0:
                return np.zeros(2, complex)
        elif np.real(depth) < 0:
            return np.zeros(2, complex)
        y = 0.5 * (low + high) + 0.5 * (high - low) * POINTS
        values = np.array([function(depth + tilt * one) for one in y])
        return 0.5 * (high - low) * np.array([WEIGHTS @ values, (WEIGHTS * y) @ values]) / self.tilt_width

    def both_moments(
        self, teeth: int, u: complex, psi_a: complex, psi_b: complex, tilts: tuple[complex, complex], rates: np.ndarray
    ) -> tuple[HoopForces, complex, complex]:
        """As `TiltLaw.both_moments`."""
        (k, k_a, k_b), (x, x_a, x_b) = self.terms(teeth, psi_a, psi_b)
        s = u + x - self.offset
        f = G = bears = 0j
        moments, flanks = [], []
        rate = self.rate(rates, x_a, x_b)
        for sign, depth, tilt in ((1, s, tilts[0]), (-1, -(s + self.backlash), tilts[1])):
            G += self.over_face(lambda d: 0.5 * d * d, depth, tilt)[0]
            force, arm = self.over_face(lambda d: d, depth, tilt)
            f += sign * k * force
            moments.append(k * arm)
            share = self.over_face(lambda d: 1.0, depth, tilt)[0]
            bears += share
            flanks.append((sign, k * force, share, sign * rate))
        on_drive, on_coast = self.damper(flanks)
        damper = on_drive - on_coast
        along = f + self.along_errors(damper)
        torques = (along * x_a + k_a * G, along * x_b + k_b * G) if self.energy_consistent else (0.0, 0.0)
        return HoopForces(f, *torques, 0.0, damper, k * G, float(np.real(bears))), *moments

    def encode(self, **more) -> tuple[np.void, np.ndarray]:
        return super().encode(tilt=(self.across, self.towards), tilt_width=self.tilt_width, **more)


def springs_over_face(state: MeshState, rng: np.random.Generator, *, flank: str, **options) -> TiltedMesh:
    """On one flank or on both, over the whole face or a part of it; clear of the kinks."""
    law = some_law(state, rng, flank="drive" if flank == "both" else flank, **options)
    made = {name: getattr(law, name) for name in HoopLaw.__dataclass_fields__}
    made["backlash"] = abs(law.backlash) or 0.01 * state.gears.pitch.normal_module
    mesh = TiltedMesh(state, SpringsOverFace(**made, tilt_width=1.0))
    q, p = state.q, state.gears.pitch
    tilt = [float(np.real(one)) for one in mesh.tilts(q)]
    depth = 0.02 * p.normal_module * rng.uniform(0.3, 1.0)
    # depth in the middle over what the tilt adds at an edge, of the flank that bears: a part of the face, or all of it
    part = rng.choice([rng.uniform(-0.8, 0.8), rng.uniform(1.2, 3.0)])
    chosen = abs(tilt[1 if flank == "coast" else 0])
    width = 2.0 * depth / max(chosen, 1e-6)
    middle = part * depth
    u = q.u + np.pi * p.normal_module * mesh.whole_teeth
    x = mesh.law.terms(p.teeth_a, q.psi_a, q.psi_b)[1][0].real
    edges = [0.5 * width * abs(one) for one in tilt]
    backlash = 1.5 * sum(edges) + abs(middle) + depth
    s = {"drive": middle, "coast": -backlash - middle}.get(flank, 0.5 * (edges[1] - edges[0] - backlash))
    if flank == "both":
        s = rng.uniform(-0.5, 0.5) * edges[0]
        backlash = -s + rng.uniform(-0.5, 0.5) * edges[1]
    changes = {"tilt_width": width, "backlash": float(backlash), "offset": float(np.real(u + x - s))}
    return TiltedMesh(state, replace(mesh.law, **changes))
