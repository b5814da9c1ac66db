"""A small pair of elastic gears on coarse grids, for tests of contact in motion."""

from functools import cache
from typing import Any

from pitchline.contact.flank_data import FlankData, flank_data
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.gears import Gear
from pitchline.parts.gears.teeth import Teeth, place_teeth
from pitchline.parts.meshes.compile import encode_flanks
from pitchline.parts.meshes.kernel_flank_records import ContactForces, U

COARSE = {"flank_edge": "0.4 mm", "size": "1.5 mm", "face_elements": 2}
TEETH = (17, 23)
MODULE = 2e-3
LIMIT = 60e3
NUMBERS = [name for name in ContactForces.dtype.names if not ContactForces.dtype[name].shape]
"""Of the contact, moments against a tilt apart."""
ENERGIES = ("kinetic", "stored", "lost", "pressure", "touching", "normal")


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
    """The law by itself: approach and angle in, forces and energies out, by name."""

    def __init__(self, found: FlankData, **options: float) -> None:
        self.lever_a, self.lever_b = (0.5 * MODULE * z for z in TEETH)
        self.flanks = encode_flanks(found, lever_b=self.lever_b, **options).alone()
        self._begun = False

    @property
    def present(self) -> dict[str, Any]:
        """What was accepted last: forces, their derivatives, energies."""
        memory = self.flanks.memory
        contact = {name: float(memory["contact"][name]) for name in NUMBERS}
        contact["u_u"] = float(memory["contact"]["second"][U, U])
        return contact | {name: float(memory[name]) for name in ENERGIES} | {"pairs": memory["pairs"].copy()}

    def at_rest(self, u: float, psi: float) -> dict[str, Any]:
        """The contact in equilibrium."""
        self.flanks.forget()
        assert self.flanks.rest(u, psi)
        return self.present

    def step(self, dt: float, u: float, psi: float, accept: bool = True) -> dict[str, float]:
        """Contact at the end of a step, which begins with the first call after another was accepted."""
        if not self._begun:
            self.flanks.begin(dt, u, psi)
        assert self.flanks.solve(u, psi)
        if accept:
            self.flanks.accept()
        self._begun = not accept
        found = self.flanks.scratch["contact"]
        return {name: float(found[name]) for name in NUMBERS}

    @staticmethod
    def energy(found: dict[str, Any]) -> float:
        return float(found["kinetic"] + found["stored"])
