"""A shaft with an eccentric disc on two elastic supports: 400 mm of 30 mm, 2 kg in the middle."""

import numpy as np

import pitchline as pl

SPIN, ECCENTRICITY, DISC = 300.0, 2e-5, 2.0


def rotor(
    *,
    spin: float = SPIN,
    eccentricity: float = ECCENTRICITY,
    support_damping: float = 200.0,
    elements: int = 8,
    damping: float = 0.0,
    weight: float = 0.0,
) -> pl.Model:
    """Both supports 1e8 N/m in all directions. eccentricity [m], support_damping [N*s/m], damping: of the shaft [s], weight:
    gravity across [m/s^2]."""
    m = pl.Model("rotor", gravity=(0, -weight, 0))
    sections = [pl.ShaftSection("400 mm", outer="30 mm")]
    s = m.shaft("shaft", sections, stations={"disc": "200 mm"}, elements=elements, speed=spin, damping=damping)
    m.attached_mass("disc", s["disc"], mass=DISC, inertia=(2e-3, 2e-3, 4e-3), centre_of_mass=(eccentricity, 0, 0))
    for end in ("start", "end"):
        m.bushing(
            f"support {end}", m.ground, s[end], at=s[end].position, axis="z", stiffness=np.diag([1e8] * 3 + [0] * 3),
            damping=np.diag([support_damping] * 3 + [0] * 3),
        )  # fmt: skip
    return m
