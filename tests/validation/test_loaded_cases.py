"""Loaded contact against published methods and numbers: finite elements, analytical tooth stiffness, ISO 6336-1.

Tooth stiffness by Weber & Banaschek (Formänderung und Profilrücknahme bei gerad- und schrägverzahnten Rädern, 1953) and by
potential energy with the foundation of Sainsot, Velex & Duverger (J. Mech. Des. 126, 2004) as in Ma et al. (Eng. Fail.
Anal. 44, 2014) are numbers of these formulas, N/(mm µm). Weber and Banaschek hold the body beside the tooth: the twist of a
disc between bore and root, q = r_b²/(4πG) (1/r_i² − 1/r_f²), is taken from what is found here.
"""

import math
from functools import cache

import numpy as np
import pytest

import pitchline as pl
from pitchline import gallery
from pitchline.fem.elastic_gear import ElasticGear, elastic_gear
from pitchline.parts.contact.loaded_contact import loaded_contact
from pitchline.parts.contact.results_flank import LoadedContact
from pitchline.parts.gears.geometry.inputs import Material
from pitchline.parts.gears.geometry.pair import GearPair
from pitchline.parts.gears.geometry.table import iso_stiffness

UNIT = 1e9
"""1 N/(mm µm) in N/m²."""


@cache
def table1(flanks: str = "ideal") -> LoadedContact:
    return loaded_contact(*table1_gears(flanks), torque=[100.0, 20.0], positions=40)


def table1_gears(flanks: str = "ideal") -> list[pl.Gear]:
    """Those of a file of the gallery."""
    one = gallery.model("table1-ltca" if flanks == "ideal" else "table1-ltca-relieved")
    return [wheel.gear for wheel in one.build().wheels.values()]


@pytest.mark.parametrize("torque, double, single, uneven, mean, secant", [
    (0, 15.8, 22.7, 7.07, 17.2, 12.7),
    (1, 3.28, 4.78, 1.58, 16.1, 12.0),
])  # fmt: skip
def test_spur_pair_of_do_ziegler_eberhard(
    torque: int, double: float, single: float, uneven: float, mean: float, secant: float
) -> None:
    """100 and 20 N m on the gear, held at the bores: finite elements with flank nodes 0.03 to 0.12 mm apart and nodal contact.

    Five grids of 8- and 20-node elements agree within 1 %. Deflections in µm, stiffness in N/(mm µm).
    """
    r = table1()
    lag = 1e6 * r.transmission_error[torque]
    alone = np.flatnonzero((r.load_sharing[torque] > 0.0).sum(axis=1) == 1)
    middle = alone[len(alone) // 2]
    assert lag.min() == pytest.approx(double, rel=0.012)
    assert lag[middle] == pytest.approx(single, rel=0.012)
    assert 1e6 * r.peak_to_peak[torque] == pytest.approx(uneven, rel=0.02)
    assert r.mean_stiffness[torque] / r.face_width / UNIT == pytest.approx(mean, rel=0.012)
    assert r.secant_stiffness[torque, middle] / r.face_width / UNIT == pytest.approx(secant, rel=0.012)


def test_iso_stiffness_of_that_pair() -> None:
    """ISO 6336-1, method B, is said to be right within a fifth: mean and single stiffness at 288 N/mm."""
    r = table1()
    gears = table1_gears()
    iso = iso_stiffness(GearPair(*gears))
    assert r.mean_stiffness[0] / r.face_width == pytest.approx(iso.mesh_alpha, rel=0.1)
    assert r.secant_stiffness[0].min() / r.face_width == pytest.approx(iso.single, rel=0.05)


def test_relief_of_that_pair_makes_a_smooth_entry() -> None:
    """18 µm over 1.8 mm: no pair comes into contact with more than a few percent of the load, without relief with a tenth."""
    share = [one.load_sharing[0] for one in (table1(), table1("relieved"))]
    least = [float(np.min(s[s > 0.0])) for s in share]
    assert least[0] > 0.08
    assert least[1] < 0.03
    worst = [max(one.max_pressure[0].max(), one.edge_pressure[0].max()) for one in (table1("relieved"), table1())]
    assert worst[0] < 0.6 * worst[1]
    # what relief takes away is the contact of the tip edges, which is told
    assert any("edge contact at the tip of gear" in text for text in table1().warnings)
    assert not any("tip" in text for text in table1("relieved").warnings)


def test_pressure_on_the_flank_is_that_of_hertz_at_the_pitch_point() -> None:
    """One pair of spur teeth bears at the pitch point: p = √(F'E*/(πR)), F' of the strip itself; cells are means over b/4.

    Hats of the finite elements stand 0.2 mm apart, the contact is 0.23 mm wide: that makes 3.6 % more than Hertz.
    """
    r = table1()
    alone = np.flatnonzero((r.load_sharing[0] > 0.0).sum(axis=1) == 1)
    a, b = (pl.Teeth(gear) for gear in table1_gears())
    flank = [r.flank_load(0, int(i)) for i in alone]
    pitch = GearPair(a.gear, b.gear).pitch.radius_a
    L_pitch = math.sqrt(pitch**2 - a.left.involute.base_radius**2)
    at = min(flank, key=lambda one: abs(float(one.roll_length_a[one.line_load > 0.0].mean()) - L_pitch))
    middle = int(np.argmin(np.abs(at.face)))
    R = [
        float(np.average(length[middle], weights=at.pressure[middle]))
        for length in (at.roll_length_a, at.roll_length_b)
    ]
    modulus = 0.5 * a.gear.material.youngs_modulus / (1.0 - a.gear.material.poissons_ratio**2)
    hertz = math.sqrt(at.line_load[middle] * modulus / math.pi * (1.0 / R[0] + 1.0 / R[1]))
    assert at.pressure[middle].max() == pytest.approx(hertz, rel=0.04)
    assert (at.edge[middle] == "").all()
    position = int(alone[[one is at for one in flank].index(True)])
    assert r.max_pressure[0, position] == pytest.approx(at.pressure[at.edge == ""].max(), rel=1e-12)


@cache
def elastic(teeth: int, module: float, width: float, bore: float) -> ElasticGear:
    """Of E = 2.06e11 Pa, basic rack with c = 0.25 m and the full tip radius c m/(1 − sin α)."""
    matter = Material("steel", density=7850.0, youngs_modulus=2.06e11, poissons_ratio=0.3)
    gear = pl.Gear(teeth=teeth, normal_module=module, face_width=width, bore=bore, material=matter)
    grid = {"flank_edge": 0.15 * module, "size": 0.75 * module, "face_elements": 2}
    return elastic_gear(pl.Teeth(gear), grid=grid, cache=False)


def at_pitch_point(a: ElasticGear, b: ElasticGear, line_load: float) -> float:
    """Compliance of one pair [m²/N], secant, at a line load [N/m]."""
    gears, flank = GearPair(a.teeth.gear, b.teeth.gear), a.teeth.left.involute
    angle = gears.path_of_contact.pitch_point / flank.base_radius - flank.base_angle
    angle -= gears.transverse_working_pressure_angle
    torque = line_load * gears.face_width * b.teeth.left.involute.base_radius
    r = loaded_contact(a, b, torque=torque, positions=1, start=angle / a.teeth.gear.angular_pitch)
    assert len(r.pairs) == 1
    return gears.face_width / float(r.secant_stiffness[0, 0])


def twist(one: ElasticGear) -> float:
    """Of a disc [m²/N]."""
    shear = one.material.youngs_modulus / (2.0 * (1.0 + one.material.poissons_ratio))
    inner, outer = 0.5 * float(one.teeth.gear.bore or 0.0), 0.5 * one.teeth.gear.root_diameter
    return one.teeth.left.involute.base_radius**2 / (4.0 * math.pi * shear) * (inner**-2 - outer**-2)


@pytest.mark.parametrize("teeth, module, width, line_load, stiffness", [
    ((25, 25), 4e-3, 15e-3, 100e3, 15.189),
    ((25, 25), 4e-3, 15e-3, 300e3, 15.937),
    ((19, 48), 3.175e-3, 16e-3, 100e3, 15.527),
    ((19, 48), 3.175e-3, 16e-3, 300e3, 16.310),
])  # fmt: skip
def test_weber_and_banaschek(
    teeth: tuple[int, int], module: float, width: float, line_load: float, stiffness: float
) -> None:
    """One pair at the pitch point: they are 7 to 10 % stiffer than finite elements, and grow with the load alike."""
    a, b = (elastic(z, module, width, 0.3 * z * module) for z in teeth)
    found = 1.0 / (at_pitch_point(a, b, line_load) - twist(a) - twist(b)) / UNIT
    assert 0.88 * stiffness < found < 0.98 * stiffness


@pytest.mark.parametrize("teeth, module, width, bores, line_load, stiffness", [
    ((25, 25), 4e-3, 15e-3, (30e-3, 30e-3), 200e3, 172.245e6 / 15e-3 / UNIT * 2.06 / 2.068),
    ((62, 42), 2e-3, 20e-3, (35e-3, 23.4e-3), 50e3, 221.296e6 / 20e-3 / UNIT),
])  # fmt: skip
def test_potential_energy_with_a_foundation(
    teeth: tuple[int, int],
    module: float,
    width: float,
    bores: tuple[float, float],
    line_load: float,
    stiffness: float,
) -> None:
    """One pair at the pitch point, bodies included, a linear contact: within 5 % at moderate load."""
    a, b = (elastic(z, module, width, bore) for z, bore in zip(teeth, bores, strict=True))
    assert 1.0 / at_pitch_point(a, b, line_load) / UNIT == pytest.approx(stiffness, rel=0.05)
