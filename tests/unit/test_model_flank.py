"""Elastic flanks as the user says them: what is read, what is refused, and when."""

import dataclasses
import math
from typing import Any

import pytest
from references.elastic_pair import gears
from references.flank_runs import flank, pair_model

import pitchline as pl
from pitchline.errors import ModelError
from pitchline.gears import Gear, GearPair, Rack
from pitchline.model import MeshLaw

SPUR, MATE = (teeth.gear for teeth in gears())


def test_it_keeps_what_was_said() -> None:
    mesh = pl.Flank(
        modes="60 kHz", elements_b={"size": "1 mm"}, damping_ratio=0.02, backlash="50 um", friction=0.05,
        friction_speed="2 mm/s", penalty="100 N/um", follow_centres=False, separating=False,
    )  # fmt: skip
    assert (mesh.modes, mesh.damping_ratio, mesh.backlash, mesh.friction) == pytest.approx(
        (60e3, 0.02, 5e-5, 0.05), rel=1e-14
    )
    assert (mesh.friction_speed, mesh.penalty) == (2e-3, pytest.approx(1e8))
    assert mesh.elements_a == {} and mesh.elements_b == {"size": "1 mm"}
    assert not mesh.follow_centres and not mesh.separating
    with pytest.raises(dataclasses.FrozenInstanceError):
        mesh.modes = 1.0  # type: ignore[misc]


def test_without_a_word() -> None:
    """80 kHz, ideal flanks, no damping, no friction, no penalty, play as the gears have it."""
    mesh = pl.Flank()
    assert mesh.modes == pytest.approx(80e3, rel=1e-14)
    assert (mesh.damping_ratio, mesh.backlash, mesh.friction, mesh.penalty) == (0.0, None, 0.0, 0.0)
    assert mesh.follow_centres and mesh.separating


@pytest.mark.parametrize("options, words", [
    ({"modes": "-1 Hz"}, "modes must not be negative.*static"),
    ({"modes": "80 mm"}, "modes"),
    ({"damping_ratio": 1.5}, "damping_ratio must be less than 1"),
    ({"damping_ratio": -0.1}, "damping_ratio"),
    ({"backlash": "-1 um"}, "backlash"),
    ({"friction": -0.1}, "friction"),
    ({"friction_speed": 0}, "friction_speed"),
    ({"penalty": 0}, "penalty"),
    ({"penalty": "1 N"}, "penalty"),
    ({"elements_a": 3}, "elements_a must be options of the grid"),
    ({"modifications_a": pl.TipRelief("1 um", length="1 mm")}, '"modifications_a"; .*specify the modifications of the Gear'),
    ({"teeth_b": pl.Teeth(MATE)}, '"teeth_b"; .*specify the modifications of the Gear'),
    ({"mode": "60 kHz"}, '"mode"; did you mean "modes"'),
    ({"separating": False, "follow_centres": True}, "needs the separating force"),
    ({"separating": 1}, "separating"),
])  # fmt: skip
def test_what_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError, match=f"Flank.*{words}"):
        pl.Flank(**options)


def law(pair: GearPair, mesh: pl.Flank | None = None) -> MeshLaw:
    return MeshLaw.of(mesh or pl.Flank(), pair, 1.0, 1.0)


BEVEL = Gear(teeth=17, normal_module="2 mm", face_width="10 mm", cone_angle="36.469 deg", bore="10 mm")
NARROW = {"teeth": 23, "normal_module": "2 mm"}


@pytest.mark.parametrize("pair, words", [
    (
        GearPair(BEVEL.with_(helix_angle="30 deg"), BEVEL.with_(teeth=23, cone_angle="53.531 deg", helix_angle="-30 deg")),
        "those of a spiral bevel gear depend on the machine that cuts it; import them",
    ),
    (GearPair(SPUR, Gear(**NARROW)), "face width of gear B"),
    (GearPair(SPUR, Rack(teeth=20, normal_module="2 mm")), "face width of gear B"),
], ids=["spiral bevel", "no face width", "rack without face width"])  # fmt: skip
def test_pairs_that_are_refused(pair: GearPair, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        law(pair)


def test_play_is_that_of_the_gears_or_as_said() -> None:
    """On the base circle, as specified; the geometric play of thinner teeth is their change at the pitch circle by cos α."""
    assert law(GearPair(SPUR, MATE)).backlash == pytest.approx(0.0, abs=1e-12)
    thinner = law(GearPair(SPUR, MATE.with_(backlash_allowance="0.1 mm")))
    assert thinner.backlash == pytest.approx(1e-4 * math.cos(SPUR.normal_pressure_angle), rel=1e-9)
    said = law(GearPair(SPUR, MATE), pl.Flank(backlash="0.1 mm"))
    assert said.backlash == pytest.approx(1e-4, rel=1e-14) and said.offset == pytest.approx(0.5 * said.backlash)


def test_solid_gears_have_no_bore_to_be_cyclic_about() -> None:
    """Found where the finite elements begin; the pair and the gear are named."""
    m = pl.Model("solid", gravity=(0, 0, 0))
    a = m.gear_body("a", SPUR.with_(bore=0), position=(0, 0, 0))
    b = m.gear_body("b", MATE, mesh_with=a, towards="x")
    m.revolute("in", m.ground, a, axis="z")
    m.revolute("out", m.ground, b, axis="z")
    m.gear_pair("mesh", a, b, mesh=flank(backlash=0))
    with pytest.raises(ModelError, match=r'gear pair "mesh", gear a: .*bore'):
        pl.statics(m)


def test_axes_may_point_in_opposite_directions() -> None:
    """The same forces and angles, whichever way the axis of B points: on the closed form, and on surfaces."""
    found = []
    for axis in ((0, 0, 1), (0, 0, -1)):
        m = pl.Model("opposite", gravity=(0, 0, 0))
        a = m.gear_body("a", SPUR, position=(0, 0, 0), axis="z")
        apart = GearPair(SPUR, MATE).centre_distance
        b = m.gear_body("b", MATE, position=(apart, 0, 0), axis=axis)
        m.drive("motor", m.revolute("in", m.ground, a, axis="z"), angle=0)
        m.revolute("out", m.ground, b, axis="z")
        m.gear_pair("mesh", a, b, mesh=flank(backlash=0, modes=0), phase="fit")
        m.torque("load", b, (0, 0, 20.0))
        run = pl.statics(m)
        found.append((run["mesh.contact_force"].final, run["mesh.deflection"].final))
    assert found[1] == pytest.approx(found[0], rel=2e-3)
    assert found[0][1] != 0.0


def test_signals() -> None:
    run = pl.statics(pair_model(phase=0.3, drive={"angle": 0}, torque=20.0))
    assert {"mesh.contact_force", "mesh.peak_pressure", "mesh.strips_in_contact", "mesh.pair_forces"} <= set(
        run.signals
    )
    forces = run["mesh.pair_forces"]
    assert forces.unit == "N" and forces.values.shape == (1, 8)
    assert forces.values.sum() == pytest.approx(run["mesh.contact_force"].values[0], rel=1e-12)
    assert run["mesh.strips_in_contact"].values[0] in (5.0, 10.0)
