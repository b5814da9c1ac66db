"""Eigenfrequencies and frequency responses against published numbers and closed forms.

F. L. J. van der Linden, Modelling of elastic gearboxes using a generalized gear contact model, Modelica conference 2012.
J. Lin and R. G. Parker, Analytical characterization of the unique properties of planetary gear free vibration, J. Vib. Acoust. 121
(1999) 316-321.  A. Kahraman, Natural modes of planetary gear trains, J. Sound Vib. 173 (1994) 125-130.  A. Cardona, Flexible three
dimensional gear modelling, 1997, section 7.3, with the parameters of H. N. Özgüven, J. Sound Vib. 145 (1991) 239-260.
D. Zimmer, PlanarMechanics (Modelica library), example SpurGear.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from references import stepped_planets as epicyclic
from references.gallery_runs import figures_of

import pitchline as pl
from pitchline import cli, gallery

# --- van der Linden -----------------------------------------------------------------------------------------------------


def test_elastic_spur_pair() -> None:
    """Section 6.1.1: 0.225 Hz; J = r = k = 1: sqrt(2)/2 pi. With d = 1e-3 and both wheels free zeta = d/sqrt(2)."""
    found = figures_of("planar-spur")
    assert found["eigenfrequency"].value == pytest.approx(0.22507907903927654, rel=1e-9)
    assert found["eigenfrequency"].unit == "Hz"
    assert found["damping_ratio"].value == pytest.approx(0.0007071067811865475, rel=1e-6)
    assert found["rigid"].value == 1
    assert found["resonance"].value == pytest.approx([math.sqrt(2)], rel=1e-9)


FREQUENCIES = {
    (2, 1.0, "even"): [0.17794063585429423, 0.21005143590236133, 0.28222585124535726],
    (2, 1.0, "detuned"): [0.1702180935034003, 0.20774085083029317, 0.24958528488173698],
    (2, 2.0, "even"): [0.12582303026121758, 0.15313208466131117, 0.25659278581458833],
    (2, 2.0, "detuned"): [0.12106186010674776, 0.1527484011440086, 0.2236844435018319],
    (3, 1.0, "even"): [0.17794063585429430] * 2 + [0.21420283873145127, 0.3254145706064351],
    (3, 1.0, "detuned"): [0.1700126431651248, 0.1779406358542943, 0.2136833023267473, 0.29894331044498806],
    (3, 2.0, "even"): [0.12582303026121758] * 2 + [0.15495681765623923, 0.30231454858963275],
    (3, 2.0, "detuned"): [0.12046909720701846, 0.1258230302612176, 0.1548625127914315, 0.2766376010095051],
}
"""Section 6.1.2, by (planets, mass and inertia of one, springs): roots of the equations of motion [Hz], besides one of 0 Hz."""


@pytest.mark.parametrize(("planets", "mass", "train"), FREQUENCIES)
def test_eigenfrequencies_of_the_epicyclic_train(planets: int, mass: float, train: str) -> None:
    modes = pl.modes(epicyclic.build(train, planets, mass, mass))
    assert modes.rigid == 1
    np.testing.assert_allclose(modes.frequencies[1:], FREQUENCIES[planets, mass, train], rtol=1e-9)


RESPONSES = [
    # mass, planets, peaks, dips; with one soft spring: peaks, dips
    (
        2.0,
        2,
        [0.962157264, 1.612220022],
        [0.866025404],
        [0.760654101, 0.959746510, 1.405450809],
        [0.763762616, 0.866025404],
    ),
    (
        2.0,
        3,
        [0.973622400, 1.899498330],
        [0.866025404],
        [0.756929662, 0.973029865, 1.738165310],
        [0.758287544, 0.866025404],
    ),
    (
        2.0,
        4,
        [0.979762070, 2.147657959],
        [0.866025404],
        [0.755173432, 0.979527502, 2.011441487],
        [0.755928946, 0.866025404],
    ),
    (
        1.0,
        2,
        [1.319792096, 1.773277322],
        [1.224744871],
        [1.069511824, 1.305274262, 1.568190595],
        [1.080123450, 1.224744871],
    ),
    (
        1.0,
        3,
        [1.345876129, 2.044640049],
        [1.224744871],
        [1.068220942, 1.342611786, 1.878316216],
        [1.072380529, 1.224744871],
    ),
    (
        1.0,
        4,
        [1.360695852, 2.280023420],
        [1.224744871],
        [1.066803980, 1.359418890, 2.139254438],
        [1.069044968, 1.224744871],
    ),
]
"""[rad/s], torque on the sun to angle of the carrier."""


@pytest.mark.parametrize(("mass", "planets", "peaks", "dips", "soft_peaks", "soft_dips"), RESPONSES)
def test_peaks_and_dips_of_the_epicyclic_train(
    mass: float, planets: int, peaks: list[float], dips: list[float], soft_peaks: list[float], soft_dips: list[float]
) -> None:
    """To the nine digits given. N - 1 planet modes at sqrt(1.25/J_p) cancel; one soft spring leaves N - 2 of them."""
    for train, top, bottom in (("even", peaks, dips), ("detuned", soft_peaks, soft_dips)):
        linear = pl.linear_model(epicyclic.build(train, planets, mass, mass), epicyclic.INPUT, epicyclic.OUTPUT)
        np.testing.assert_allclose(linear.peaks(), top, atol=1e-9)
        np.testing.assert_allclose(linear.dips(), bottom, atol=1e-9)
        hidden = np.abs(linear.zeros() - 1j * math.sqrt(1.25 / mass)) < 1e-6
        assert hidden.sum() == planets - (1 if train == "even" else 2)


def test_ratio_of_the_epicyclic_train() -> None:
    """The motion without frequency: phi_sun = 2.25 phi_carrier, phi_planet = -1.5 phi_carrier."""
    modes = pl.modes(gallery.model("epicyclic").build())
    turns = dict(zip(modes.bodies, modes.shapes[0, :, 5].real, strict=True))
    assert turns["sun"] / turns["carrier"] == pytest.approx(2.25, rel=1e-9)
    assert turns["planet_1"] / turns["carrier"] == pytest.approx(-1.5, rel=1e-9)


# --- Lin and Parker -------------------------------------------------------------------------------------------------------

ROTATIONAL = [0.0, 1475.7472299932651, 1930.3465696085036, 2658.324423547393, 7462.803434345871, 11775.265785475285]
TRANSLATIONAL = [
    743.1638965257167,
    1102.4193305403446,
    1896.019942407946,
    2276.3801157172497,
    6986.298221729212,
    9647.91321660446,
]
"""The 18 equations of the paper, assembled and solved apart from this library [Hz]; its tables give them to 0.1 Hz."""


def test_modes_of_a_planetary_train() -> None:
    """Table 2, to its last digit; the equations to rounding."""
    found = figures_of("planetary-modes")
    np.testing.assert_allclose(found["rotational"].value, found["rotational"].expected, atol=0.06)
    np.testing.assert_allclose(found["translational"].value, found["translational"].expected, atol=0.06)
    np.testing.assert_allclose(found["rotational"].value, ROTATIONAL, rtol=1e-9, atol=1e-3)
    np.testing.assert_allclose(found["translational"].value, TRANSLATIONAL, rtol=1e-9)


def test_kinds_and_multiplicities_of_a_planetary_train() -> None:
    """Six rotational modes, one of 0 Hz; six pairs of translational ones; none of the planets alone, for there are three."""
    modes = pl.modes(gallery.model("planetary-modes").build())
    assert len(modes) == 18 and modes.rigid == 1
    assert [kind for kind, n in zip(modes.kinds, modes.multiplicity, strict=True) if n == 2] == ["translational"] * 12
    assert list(modes.kinds).count("rotational") == 5
    # planets move alike in rotational modes
    planets = [modes.bodies.index(f"planet_{i}") for i in (1, 2, 3)]
    for i in np.flatnonzero(np.array(modes.kinds) == "rotational"):
        np.testing.assert_allclose(
            modes.kinetic[i, planets].sum(axis=1), modes.kinetic[i, planets].sum() / 3, rtol=1e-6
        )


# --- Kahraman ---------------------------------------------------------------------------------------------------------------


def torsional(n: int, m_s: float, m_c: float, m_p: float, k_rp: float, k_sp: float) -> pl.Model:
    """A train that only turns: equivalent masses J/r² of sun, carrier (planets included) and planet, ring fixed."""
    module, arm, mass = 0.01, 0.225, 0.1
    m = pl.Model("torsional", plane="xy")
    gears = [pl.Gear(teeth=z, normal_module=module, internal=i) for z, i in ((20, False), (25, False), (70, True))]
    sun = m.gear_body("sun", gears[0], position=(0, 0, 0), axis="z", mass=1.0, inertia=m_s * 0.1**2)
    carrier = m.body("carrier", mass=1.0, inertia=(m_c - n * mass) * arm**2)
    m.wheel("ring", m.ground, gears[2], at=(0, 0, 0), axis="z")
    m.revolute("hs", m.ground, sun)
    m.revolute("hc", m.ground, carrier, axis="z")
    for i in range(n):
        angle = 2 * math.pi * i / n
        out = np.array([math.cos(angle), math.sin(angle), 0])
        planet = m.gear_body(f"p{i}", gears[1], position=arm * out, axis="z", mass=mass, inertia=m_p * 0.125**2)
        m.revolute(f"pin{i}", carrier, planet, axis="z")
        m.gear_pair(f"s{i}", sun, planet, mesh=pl.Elastic(k_sp, along="hoop", backlash=0))
        m.gear_pair(f"r{i}", planet, "ring", mesh=pl.Elastic(k_rp, along="hoop", backlash=0))
    return m


@pytest.mark.parametrize(
    ("arguments", "first", "second", "planet"),
    [
        ((3, 1.2, 8.0, 0.9, 2.2e8, 1.9e8), 16719.5132022843, 28368.352681010518, 21343.747458109494),
        ((5, 0.5, 6.0, 0.4, 1e8, 3e8), 17627.966768461778, 63423.87658400691, 31622.776601683792),
    ],
    ids=["three planets", "five planets"],
)
def test_natural_modes_of_torsional_trains(
    arguments: tuple[Any, ...], first: float, second: float, planet: float
) -> None:
    """Closed form: two modes of sun, carrier and planets together, and n - 1 of the planets alone [rad/s]."""
    n = arguments[0]
    modes = pl.modes(torsional(*arguments))
    assert modes.rigid == 1 and len(modes) == n + 2
    np.testing.assert_allclose(2 * np.pi * modes.frequencies[1:], [first, *[planet] * (n - 1), second], rtol=1e-9)
    assert modes.kinds == ("rigid body", "rotational", *["planet"] * (n - 1), "rotational")
    assert list(modes.multiplicity) == [1, 1, *[n - 1] * (n - 1), 1]


# --- Cardona, Özgüven: the rig of Kubo -------------------------------------------------------------------------------------

R, I_WHEEL, I_1, I_2 = 1.9685, 0.0102, 0.051, 0.0102
K_MESH, K_1, K_2, T_2, TEETH = 1.477e7, 17000.0, 30000.0, 945.8, 25
"""In lbf, in and s: a consistent set of units, taken as it is."""


def rig(*, imposed: bool = False, shafts: bool = True, damping_ratio: float | None = None) -> pl.Model:
    """Disc 1, shaft, wheel A, teeth, wheel B, shaft, disc 2."""
    m = pl.Model("rig")
    gear = pl.Gear(teeth=TEETH, normal_module=2 * R / TEETH)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=(I_WHEEL,) * 3)
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=(I_WHEEL,) * 3)
    m.revolute("ha", m.ground, a)
    m.revolute("hb", m.ground, b)
    if shafts:
        for i, wheel, J, k in ((1, a, I_1, K_1), (2, b, I_2, K_2)):
            disc = m.body(f"disc_{i}", mass=1.0, inertia=(J,) * 3, position=wheel.position + [0, 0, 5])
            hinge = m.revolute(f"h{i}", m.ground, disc, axis="z")
            m.torsion_spring(f"shaft_{i}", m.cylindrical(f"line_{i}", wheel, disc, axis="z"), stiffness=k)
            if i == 1 and imposed:
                m.drive("motor", hinge, speed=0.0)
    m.gear_pair(
        "mesh",
        a,
        b,
        mesh=pl.Elastic(K_MESH, along="hoop", damping_ratio=damping_ratio, damping_acts="always", backlash=0),
    )
    return m


@pytest.mark.parametrize(
    ("imposed", "expected"),
    [
        (False, [144.54964009201285, 346.98330093104863, 16861.852831945343]),
        (True, [114.60142301534616, 345.9995928483997, 16861.852813358924]),
    ],
    ids=["free-free", "speed of disc 1 imposed"],
)
def test_torsional_frequencies_of_the_rig(imposed: bool, expected: list[float]) -> None:
    modes = pl.modes(rig(imposed=imposed))
    assert modes.rigid == (0 if imposed else 1)
    np.testing.assert_allclose(modes.frequencies[modes.rigid :], expected, rtol=1e-8)
    assert set(modes.kinds[modes.rigid :]) == {"torsional"}
    assert modes.strain["mesh"][-1] == pytest.approx(1.0, abs=1e-3)


def test_mesh_mode_of_the_rig() -> None:
    """The two wheels alone: sqrt(k/m_e), m_e = I/(2 R²), damped by 10 %. In the rig the teeth meet it at 60 f/z."""
    modes = pl.modes(rig(shafts=False, damping_ratio=0.1))
    assert modes.frequencies[1] == pytest.approx(16860.121903571377, rel=1e-10)
    assert modes.damping_ratios[1] == pytest.approx(0.1, rel=1e-9)
    pair = rig(shafts=False, damping_ratio=0.1).gear_pairs["mesh"]
    law = pair.law.along_hoop(pair.length_factor)
    assert law.effective_mass == pytest.approx(0.0013161316645213938, rel=1e-9)
    assert law.damping == pytest.approx(27.88495270570204, rel=1e-9)
    diagram = pl.campbell(rig(), "ha", ["30000 rpm", "50000 rpm"])
    (crossing,) = [c for c in diagram.crossings if c.order == "mesh"]
    assert crossing.speed * 30 / math.pi == pytest.approx(40468.44675206142, rel=1e-8)


def test_antiresonances_of_the_rig() -> None:
    """A torque on disc 1 does not move it where the rest resonates with disc 1 held; the mesh mode, which it hardly knows (the two
    frequencies differ by 1e-9), is not seen. Through the whole rig there is no antiresonance."""
    linear = pl.linear_model(rig(), "h1.torque", ["h1.angle", "h2.angle"])
    np.testing.assert_allclose(linear.peaks(0) / (2 * np.pi), [144.54964009201285, 346.98330093104863], rtol=1e-8)
    np.testing.assert_allclose(linear.dips(0) / (2 * np.pi), [114.60142301534616, 345.9995928483997], rtol=1e-8)
    assert len(linear.peaks(1)) == 3 and linear.dips(1).size == 0


def test_static_force_of_the_rig() -> None:
    """T_2/R at 0 Hz, from the response of the tooth force to the torque on disc 2; disc 1 is held."""
    m = rig(imposed=True)
    found = pl.frequency_response(m, "h2.torque", "mesh.tangential_force", frequencies=0.0)
    assert abs(found.between()[0]) * T_2 == pytest.approx(480.46736093472185, rel=1e-7)


# --- PlanarMechanics -------------------------------------------------------------------------------------------------------


def test_rigid_pair_of_planar_mechanics() -> None:
    """Wheel A at 1 rad/s, 10 N m on the bearing of B: angles after 10 s, and the force 10 N along the tangent."""
    m = pl.Model("spur", plane="xy")
    gear = pl.Gear(teeth=20, normal_module=0.1)
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=0.001)
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=0.001)
    m.drive("motor", m.revolute("ha", m.ground, a), speed=1.0)
    m.torque("load", m.revolute("hb", b, m.ground), -10.0)
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(backlash=0, separating=False))
    run = pl.dynamics(m, duration=10.0, step=0.05)
    assert run["ha.angle"].final == pytest.approx(10.0, rel=1e-9)
    assert run["hb.angle"].final == pytest.approx(10.0, rel=1e-9)
    turn = np.unwrap(2 * np.arctan2(run["b.orientation"].values[:, 3], run["b.orientation"].values[:, 0]))
    assert turn[-1] - turn[0] == pytest.approx(-10.0, rel=1e-9)
    np.testing.assert_allclose(run["b.position"].values, [[2.0, 0.0, 0.0]] * len(run.time), atol=1e-12)
    np.testing.assert_allclose(run["mesh.tangential_force"].values, 10.0, rtol=1e-9)


# --- the command ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("planar-spur", ["eigenfrequency", "damping_ratio"]),
        ("epicyclic", ["peaks", "dips"]),
        ("epicyclic-detuned", ["peaks", "dips"]),
        ("planetary-modes", ["rotational", "translational"]),
    ],
)
def test_they_run_from_a_shell(name: str, keys: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One JSON object whose figures hold the closed forms; lists stay lists; a picture is written."""
    assert cli.main(["run", name, "--json", "-o", str(tmp_path)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [a["status"] for a in said["analyses"]] == ["completed"] * len(said["analyses"])
    for key in keys:
        figure = figures_of(name)[key]
        np.testing.assert_allclose(said["figures"][key]["value"], figure.expected, rtol=1e-4, atol=1e-9)
        assert isinstance(said["figures"][key]["value"], list) == isinstance(figure.expected, list)
    assert (tmp_path / f"{name}.png").stat().st_size > 10_000
