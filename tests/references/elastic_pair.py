"""A small pair of elastic gears on coarse grids, for tests of contact in motion."""

from functools import cache

import numpy as np

from pitchline.contact.flank_data import FlankData, flank_data
from pitchline.elements import flank_law
from pitchline.elements import flank_layout as at
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.gears import Gear
from pitchline.gears.teeth import Teeth, place_teeth
from pitchline.system.flank_tables import encode_flanks

COARSE = {"flank_edge": "0.4 mm", "size": "1.5 mm", "face_elements": 2}
TEETH = (17, 23)
MODULE = 2e-3
LIMIT = 60e3


@cache
def gears(helix: float = 0.0) -> tuple[Teeth, Teeth]:
    """Unmodified teeth, z 17 and 23, m_n 2 mm, 10 mm wide."""
    made = []
    for z, sign in zip(TEETH, (1.0, -1.0), strict=True):
        gear = Gear(
            teeth=z, normal_module=MODULE, face_width="10 mm", helix_angle=sign * helix, bore=0.4 * z * MODULE,
        )  # fmt: skip
        made.append(Teeth(gear))
    return made[0], made[1]


@cache
def elastic(helix: float = 0.0) -> tuple[ElasticGear, ElasticGear]:
    """The same, free, with modes to `LIMIT`."""
    a, b = (elastic_gear(t, bore="free", up_to=LIMIT, grid=COARSE, cache=False) for t in gears(helix))
    return a, b


def data(
    a: Teeth | None = None, b: Teeth | None = None, *, helix: float = 0.0, modes: float = LIMIT, play: float = 0.0
) -> FlankData:
    """Contact data of the pair, with other modifications where teeth are given; play [m] along the hoop to either side."""
    gear_a, gear_b = elastic(helix)
    gear_a = gear_a if a is None else gear_a.with_teeth(a)
    gear_b = gear_b if b is None else gear_b.with_teeth(b)
    pose, _ = place_teeth(gear_a.teeth, gear_b.teeth)
    return flank_data(gear_a, gear_b, pose, up_to=modes, more_play=play / (0.5 * MODULE * TEETH[1]))


class Rig:
    """The law by itself: approach and angle in, force and energy out."""

    def __init__(self, found: FlankData, **options: float) -> None:
        self.lever_a, self.lever_b = (0.5 * MODULE * z for z in TEETH)
        self.p, size = encode_flanks(found, 0, lever_b=self.lever_b, **options)
        self.h = np.zeros(size)

    def at_rest(self, u: float, psi: float) -> np.ndarray:
        """Memory with the contact in equilibrium."""
        self.h[:] = 0.0
        assert flank_law.rest(self.p, 0, self.h, 0, 0.0, u, 0.0, psi) == 1
        return self.h.copy()

    def step(self, t: float, dt: float, u: float, psi: float, accept: bool = True) -> np.ndarray:
        """Memory after a step."""
        assert flank_law.step(self.p, 0, self.h, 0, t, dt, u, 0.0, psi, int(accept)) == 1
        return self.h.copy()

    @staticmethod
    def energy(h: np.ndarray) -> float:
        return float(h[at.KINETIC] + h[at.STORED])
