"""Elastic flanks with imported teeth in models: spiral bevel and hypoid gears, a worm and its throated wheel."""

import math
from typing import Any

import numpy as np
import pytest
from references.base_helix import lever_of
from references.enveloped_teeth import PAIRS, worm_pair
from references.flank_pairs import mesh_of, pair_model, pressing

import pitchline as pl
from pitchline.contact.loaded_tables import GeneralPair
from pitchline.contact.surface_strips import SurfacePair
from pitchline.errors import ModelError
from pitchline.parts.gears.analysis_contact import surface_gears
from pitchline.parts.gears.surfaces import surface_teeth
from pitchline.parts.meshes.compile import flanks_of

LOAD = 20.0
"""On the faster gear, and on wheel B of the others [N m]."""


class Meshing:
    """A pair, its mesh, and the elastic gears that its tables were made with."""

    def __init__(self, name: str, hand: int = 1) -> None:
        self.name = name
        pair = PAIRS[name](hand)
        self.pair = pl.GearPair(pair.b, pair.a, shaft_angle=pair.shaft_angle) if name == "worm" else pair
        self.load = LOAD / 15.0 if name == "worm" else LOAD
        self.mesh = mesh_of(self.pair)

    def model(self, load: float, **options: Any) -> pl.Model:
        return pair_model(self.pair, load, **({"mesh": self.mesh} | options))

    def rest(self, side: str, phase: float) -> tuple[float, float]:
        """Rotation of B by the deflection of the teeth [rad], and the force of the contact [N]."""
        run = pl.statics(self.model(pressing(self.pair, side) * self.load, phase=phase))
        motion = run["mesh.deflection"].final / lever_of(self.pair)
        return abs(float(motion)), float(run["mesh.contact_force"].final)


@pytest.fixture(scope="module", params=PAIRS)
def meshing(request: pytest.FixtureRequest) -> Meshing:
    return Meshing(request.param)


@pytest.mark.slow
def test_the_teeth_are_conjugate() -> None:
    """Envelopes touch the flanks that made them without transmission error, except for their relief."""
    for name, make in PAIRS.items():
        pair = make(1)
        contact = SurfacePair(
            surface_teeth(pair.a), surface_teeth(pair.b), pair.place(), "left", ratio=pair.pitch.speed_ratio
        )
        angle = np.linspace(0.0, 1.0, 9) * pair.a.angular_pitch
        least = contact.least_of_teeth(angle[:, None], contact.teeth_a).gap.min(axis=1)
        assert np.ptp(least) * 0.5 * pair.b.reference_diameter < 4e-6, name
        assert least.mean() * 0.5 * pair.b.reference_diameter == pytest.approx(22e-6, abs=6e-6), name


@pytest.mark.slow
def test_statics_is_that_of_contact_in_cells(meshing: Meshing) -> None:
    """Deflection within 1 %, force within 0.3 %, in both directions of drive."""
    pair = meshing.pair
    gears = surface_gears(pair, None, "contact")
    data = flanks_of(meshing.model(0.0).gear_pairs["mesh"])
    for side in ("left", "right"):
        cells = GeneralPair(data.a, data.b, gears.placement, side=side, ratio=gears.ratio)
        for phase in (0.0, 0.4):
            pressed = cells.press(phase * pair.a.angular_pitch, meshing.load)
            motion, force = meshing.rest(side, phase)
            assert motion == pytest.approx(pressed.motion, rel=1e-2)
            assert force == pytest.approx(sum(float(np.sum(patch.load)) for patch in pressed.patches), rel=3e-3)


@pytest.mark.slow
def test_the_other_hand_is_the_mirror_image() -> None:
    """Left flanks of one hand are right flanks of the other one, turned the other way."""
    one, other = Meshing("hypoid"), Meshing("hypoid", hand=-1)
    for side, opposite in (("left", "right"), ("right", "left")):
        for phase in (0.0, 0.4):
            assert other.rest(opposite, -phase) == pytest.approx(one.rest(side, phase), rel=2e-3)


def test_a_first_bevel_gear_that_points_to_its_apex_is_refused() -> None:
    a, b = (
        pl.Gear(teeth=z, cone_angle=cone, normal_module="2 mm", face_width="8 mm")
        for z, cone in ((18, -math.atan(18 / 30)), (30, math.atan(30 / 18)))
    )
    pair = pl.GearPair(a, b)
    assert pair.pitch.axis_sign_a < 0.0
    with pytest.raises(ModelError, match=r"z axis of wheel A must point away from the apex.*Reverse wheel A"):
        pl.statics(pair_model(pair, LOAD, mesh=mesh_of(pair)))


@pytest.mark.slow
def test_a_worm_cannot_be_wheel_a_if_its_thread_is_too_long() -> None:
    pair = worm_pair()
    m = pair_model(pair, LOAD, mesh=mesh_of(pair))
    with pytest.raises(ModelError, match=r"touch in a point.*needs \d+ strips; at most 96.*Exchange the wheels"):
        pl.statics(m)
    with pytest.raises(ModelError, match=r"78\.69.* deg is too steep.*as that of a worm.*\"body\": \"rigid\""):
        pl.statics(pair_model(pair, LOAD, mesh=mesh_of(pair, elements_a={"face_elements": 3})))
