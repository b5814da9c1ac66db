"""The gears of the gallery against their closed forms and against the published examples they come from.

A. Cardona, Flexible three dimensional gear modelling, 1997: sections 7.1, 7.2 and 7.3. Numbers of these examples are those
of the corrected equations, solved by other means (Newton on 15 coordinates and by hand; a frequency domain solution and an HHT
integration of the lumped rig with a step of 0.5 us over 2 s).
"""

import numpy as np
import pytest
from references import worm
from references.gallery_runs import figures_of, run_of
from references.kubo_linear import linear_amplitude
from references.tooth_forces import normal_force, tooth_force

import pitchline as pl
from pitchline import gallery
from pitchline.gallery.figures import Figure

PAIRS = ("helical-pair", "crossed-helical", "internal-pair", "hypoid", "spiral-bevel", "rack-and-pinion", "planetary")
STATIC = ("bevel-pair", "three-wheels")
KUBO = ("kubo-a", "kubo-b", "kubo-c", "kubo-d")
GEARS = (*STATIC, *KUBO, "worm", *PAIRS)


def value_of(name: str, key: str) -> float:
    value = figures_of(name)[key].value
    assert isinstance(value, float)
    return value


def check_closed_forms(figures: dict[str, Figure], rtol: float, atol: float) -> None:
    """Every figure that has a closed form agrees with it."""
    for figure in figures.values():
        if figure.expected is not None:
            np.testing.assert_allclose(figure.value, figure.expected, rtol=rtol, atol=atol, err_msg=figure.key)


@pytest.mark.parametrize("name", GEARS)
def test_every_model_runs_and_says_what_it_found(name: str) -> None:
    run, one = run_of(name), gallery.model(name)
    assert all(result.status is pl.Status.COMPLETED and result.model_name == name for result in run.values())
    assert list(run.values())[-1].select(*one.plot_signals)
    figures = one.figures(run)
    assert len({f.key for f in figures}) == len(figures)
    assert all(f.description and np.all(np.isfinite(f.value)) for f in figures)


# --- statics: Cardona 7.1 and 7.2 ----------------------------------------------------------------------


@pytest.mark.parametrize("name", STATIC)
def test_statics_is_as_exact_as_newton(name: str) -> None:
    """The equilibrium is found to the last digits: 1e-9 of each force."""
    size = max(float(np.max(np.abs(f.value))) for f in figures_of(name).values())
    check_closed_forms(figures_of(name), rtol=1e-9, atol=1e-9 * size)


def test_bevel_pair_of_cardona() -> None:
    """Section 7.1, M = +1000; the paper prints 1.064e3."""
    figures = figures_of("bevel-pair")
    assert figures["mesh.normal_force"].value == pytest.approx(1064.177772476, rel=1e-9)
    force, moment = figures["foundation.force"].value, figures["foundation.moment"].value
    np.testing.assert_allclose(force, [480.237740386, -356.902178248, -880.037998783], rtol=1e-9)
    np.testing.assert_allclose(moment, [964.175349384, 5000.0, -1501.614137053], rtol=1e-9)


def test_bevel_wheel_turns_as_its_teeth_say() -> None:
    """Wheel B turns by z_A/z_B = 5 rad against the bar, at |(1, 5)| = 5.0990195 rad/s for 1 rad/s of the bar."""
    turning = run_of("bevel-pair")["turning"]
    np.testing.assert_allclose(np.abs(turning["hinge_b.angle"]), 5 * turning["bar_hinge.angle"].values, atol=1e-9)
    speed, bar = turning["wheel_b.angular_velocity"].norm(), turning["bar_hinge.angular_speed"]
    np.testing.assert_allclose(speed, 5.0990195135927845 * bar.values, atol=1e-9)


def test_three_wheels_of_cardona() -> None:
    """Section 7.2; the paper prints 1.156e5."""
    assert value_of("three-wheels", "mesh12.normal_force") == pytest.approx(115580.964190006, rel=1e-9)
    assert value_of("three-wheels", "mesh23.normal_force") == pytest.approx(115580.964190006, rel=1e-9)
    assert value_of("three-wheels", "string.force") == pytest.approx(26497.508481395, rel=1e-9)
    assert value_of("three-wheels", "foundation.moment_z") == pytest.approx(-543052.895763345, rel=1e-9)


# --- forces on bearings --------------------------------------------------------------------------------

STEADY = {"helical-pair": 1e-6, "planetary": 1e-6}
"""Elastic teeth have to come to rest after the load has come on; rigid ones are at rest at once: 1e-7, the tolerance of Newton."""


@pytest.mark.parametrize("name", PAIRS)
def test_ratios_and_bearing_forces_follow_the_textbook(name: str) -> None:
    """At constant speed; zeros compared with the normal force."""
    figures, bound = figures_of(name), STEADY.get(name, 1e-7)
    size = float(np.max(figures["mesh.normal_force"].value))
    check_closed_forms(figures, rtol=bound, atol=bound * size)


@pytest.mark.parametrize(
    "name, ratio",
    [("helical-pair", 57 / 23), ("crossed-helical", 3.0), ("internal-pair", 80 / 24), ("hypoid", 41 / 11),
     ("spiral-bevel", 39 / 14), ("planetary", 5.0)],
)  # fmt: skip
def test_ratios_are_those_of_the_teeth(name: str, ratio: float) -> None:
    assert value_of(name, "ratio") == pytest.approx(ratio, rel=1e-6)


def test_crossed_wheels_slide_as_they_roll() -> None:
    """z = 12/36, β = 50/20 deg: the sliding speed is just that of the pitch circle of A, sin 70 = cos 20."""
    radius = 0.5 * gallery.model("crossed-helical").file.gears["wheel_a"].reference_diameter
    assert value_of("crossed-helical", "mesh.sliding_speed") == pytest.approx(150.0 * radius, rel=1e-7)
    assert radius == pytest.approx(28.00302888348742e-3, rel=1e-10)


def test_the_thrust_of_a_spiral_bevel_pinion_changes_with_its_sense_of_rotation() -> None:
    """A left-hand pinion that turns positively is drawn towards the apex (its z points away from it)."""
    assert (
        value_of("spiral-bevel", "bearing_a.axial_force")
        < 0
        < value_of("spiral-bevel", "backwards.bearing_a.axial_force")
    )


def test_planets_turn_as_willis_says() -> None:
    """z_s, z_p, z_r = 24, 36, 96, ring held: ω_c/ω_s = 0.2, ω_p/ω_s = −1/3."""
    sun = float(run_of("planetary")["run-up"]["sun_bearing.angular_speed"].final)
    assert 1 / value_of("planetary", "ratio") == pytest.approx(0.2, rel=1e-6)
    assert value_of("planetary", "planet.speed") / sun == pytest.approx(-1 / 3, rel=1e-5)


def test_textbook_forces_are_in_balance() -> None:
    """A right-hand driver, turned positively, is held back and pushed along its axis, and their sum is the normal force."""
    gear = pl.Gear(teeth=20, normal_module="2 mm", helix_angle="20 deg")
    force = tooth_force(1000.0, gear, -1.0)
    assert force.tangential < 0 < force.axial
    assert np.linalg.norm([force.tangential, force.radial, force.axial]) == pytest.approx(1000.0, rel=1e-12)
    assert normal_force(force.tangential * 0.5 * gear.reference_diameter, gear) == pytest.approx(1000.0, rel=1e-12)
    crown = pl.Gear(teeth=40, normal_module="2 mm", helix_angle="35 deg", cone_angle="70 deg")
    force = tooth_force(1000.0, crown, 1.0)
    assert np.linalg.norm([force.tangential, force.radial, force.axial]) == pytest.approx(1000.0, rel=1e-12)


# --- worm ----------------------------------------------------------------------------------------------


def test_worm_loses_what_the_formula_says() -> None:
    """Two starts, tan γ = 0.1, α = 20 deg, μ = 0.05. The corner of the friction law, 10 um/s against 6 m/s, costs 1e-12."""
    assert value_of("worm", "efficiency.driving") == pytest.approx(0.649230681, abs=1e-9)
    assert value_of("worm", "efficiency.backdriving") == pytest.approx(0.465434588, abs=1e-9)
    figures = figures_of("worm")
    for key in ("efficiency.driving", "efficiency.backdriving", "mesh.friction_loss", "ratio"):
        assert figures[key].value == pytest.approx(figures[key].expected, rel=1e-8), key


def test_one_worm_locks_itself_and_the_other_does_not() -> None:
    """Decided by the motion and by μ >= cos α tan γ; accelerations to the tolerance of the integration, 1e-4."""
    figures = figures_of("worm")
    assert figures["self_locking"].value is True is figures["self_locking"].expected is worm.LOCKING.locks
    assert figures["self_locking.running_worm"].value is False is worm.RUNNING.locks
    for key, data in (("free.acceleration", worm.RUNNING), ("locking.acceleration", worm.LOCKING)):
        assert figures[key].value == pytest.approx(figures[key].expected, rel=1e-4)
        assert figures[key].expected == pytest.approx(data.acceleration(), rel=1e-12)


@pytest.mark.parametrize(
    "starts, lead, alpha, mu, driving, backdriving",
    [(1, 5.0, 20.0, 0.05, 0.618926109, 0.390004083), (4, 20.0, 20.0, 0.03, 0.908676370, 0.901806987),
     (1, 3.0, 14.5, 0.10, 0.334777254, -0.965663871)],
)  # fmt: skip
def test_the_formula_of_the_worm(
    starts: int, lead: float, alpha: float, mu: float, driving: float, backdriving: float
) -> None:
    data = worm.WormData(starts, np.radians(lead), np.radians(alpha), mu)
    assert data.efficiency(worm_drives=True) == pytest.approx(driving, abs=1e-9)
    assert data.efficiency(worm_drives=False) == pytest.approx(backdriving, abs=1e-9)
    assert data.locks == (backdriving <= 0)


# --- Kubo's rig: Cardona 7.3 ---------------------------------------------------------------------------

# By an HHT integration of the lumped rig: peak to peak, smallest and largest normal force; horizontal reaction peak to peak;
# vertical reaction, smallest and largest [lbf].
LUMPED = {
    "kubo-a": (11992.0, -5325.7, 6666.8, 11226.0, -2280.0, 0.0),
    "kubo-b": (16705.0, -7754.0, 8951.0, 24328.0, -4431.0, 1080.0),
    "kubo-c": (29942.0, -15448.0, 14494.0, 27917.0, -5283.0, 0.0),
    "kubo-d": (38566.0, -17868.0, 20698.0, 29018.0, -6047.0, 2314.0),
}
KEYS = (
    "mesh.normal_force.peak_to_peak", "mesh.normal_force.min", "mesh.normal_force.max", "support_a.horizontal.peak_to_peak",
    "support_a.vertical.min", "support_a.vertical.max",
)  # fmt: skip
AMPLITUDE = "mesh.normal_force.amplitude_at_mesh_frequency"


@pytest.mark.parametrize("name", KUBO)
def test_kubo_agrees_with_the_lumped_rig(name: str) -> None:
    """To 0.2 %: steps of 0.5 and 1 us differ by less, and so does what is left of the slow vibrations of the shafts. Both ends
    of a range are compared with the larger one."""
    figures, numbers = figures_of(name), dict(zip(KEYS, LUMPED[name], strict=True))
    for key, number in numbers.items():
        kind = key.rpartition(".")[0]
        width = max(abs(numbers[k]) for k in KEYS if k.startswith(kind))
        assert figures[key].value == pytest.approx(number, abs=2e-3 * width), key


@pytest.mark.parametrize("name", KUBO)
def test_the_mean_force_carries_the_torque(name: str) -> None:
    """T_2 / (r cos α) = 511.302686 lbf over whole periods, but for what is left of the slow vibrations: 0.1 %."""
    assert value_of(name, "mesh.normal_force.mean") == pytest.approx(511.302686, rel=1e-3)


def test_kubo_without_backlash_is_nearly_linear() -> None:
    """5939.1809 and 8359.4760 lbf in the frequency domain; the torque f dx/dψ and the turning of the mesh are worth 0.1 %."""
    for case, number in (("a", 5939.1809), ("b", 8359.4760)):
        assert linear_amplitude(case)[0] == pytest.approx(number, rel=1e-7)
        assert figures_of(f"kubo-{case}")[AMPLITUDE].expected == pytest.approx(linear_amplitude(case)[0], rel=1e-12)
        assert value_of(f"kubo-{case}", AMPLITUDE) == pytest.approx(number, rel=1e-3)


def test_elastic_supports_make_it_worse_as_the_paper_says() -> None:
    """Force 1.4 times (1.4075 in the frequency domain), horizontal reaction "almost 2" times (2.1757); the vertical reaction
    never pulls on rigid supports, and does on elastic ones."""
    assert value_of("kubo-b", AMPLITUDE) / value_of("kubo-a", AMPLITUDE) == pytest.approx(1.4075, rel=2e-3)
    assert linear_amplitude("b")[1] / linear_amplitude("a")[1] == pytest.approx(2.175656, rel=1e-6)
    sideways = [value_of(name, "support_a.horizontal.peak_to_peak") for name in ("kubo-b", "kubo-a")]
    assert sideways[0] / sideways[1] == pytest.approx(2.17, abs=0.01)
    assert all(value_of(name, "support_a.vertical.max") <= 0 for name in ("kubo-a", "kubo-c"))
    assert all(value_of(name, "support_a.vertical.max") > 1000 for name in ("kubo-b", "kubo-d"))


def test_what_holds_a_spur_wheel_out_of_its_plane_does_not_matter() -> None:
    """Ten times the stiffness along z and against tilts: the same forces, to the tolerance of Newton."""
    forces = []
    for factor in (1, 10):
        settings = {"axial_stiffness": f"{factor * 1.477e7} lbf/in", "axial_damping": f"{factor * 50} lbf*s/in"}
        model = gallery.model("kubo-d", **settings).build()
        run = pl.dynamics(model, duration="2 ms", start=pl.statics(model), step="1 us", output_step="1 us", hht=-0.05)
        assert float(np.max(np.abs(run["wheel_a.position.z"]))) < 1e-12
        forces.append(run["mesh.signed_force"].values)
    np.testing.assert_allclose(forces[0], forces[1], atol=1e-6 * np.ptp(forces[0]))
