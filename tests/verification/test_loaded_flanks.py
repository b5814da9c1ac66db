"""Linear analyses take the flank that the loads press, or that of a fixed line of action; otherwise they are refused.

Wheel B on a slide along the line of centres and a hinge, wheel A held. With the hoop stiffness k, t = tan(alpha), the support K
and the lever r of B, the energy is  k (t x - s r phi)^2 / 2 + K x^2 / 2,  s = 1 on the drive flank and -1 on the coast flank. A
spring at the side of B couples x and phi, so that the two flanks have different frequencies.
"""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pitchline as pl

ALPHA, R, K_TEETH, K_SLIDE, COUPLING = math.radians(20), 0.03, 1e8, 2e7, 1e7
COMMON: dict[str, Any] = {"normal_module": "2 mm", "face_width": "20 mm"}
LOAD = 0.5


def machine(mesh: Any, torque: float = LOAD, *, speed: float = 0.0) -> pl.Model:
    """Held wheel A; wheel B on a carriage along x, with a spring that couples displacement and rotation. speed: of B."""
    m = pl.Model("pair")
    a = m.gear_body("a", pl.Gear(teeth=20, **COMMON), position=(0, 0, 0), axis="z")
    b = m.gear_body("b", pl.Gear(teeth=30, **COMMON), mesh_with=a, towards=(1, 0, 0), angular_velocity=(0, 0, speed))
    m.fixed("hold", m.ground, a)
    carriage = m.body("carriage", mass=0.1, inertia=(1e-4, 1e-4, 1e-4), position=b.position)
    m.prismatic("slide", m.ground, carriage, axis="x")
    m.revolute("output", carriage, b)
    m.bushing("support", m.ground, carriage, stiffness=(K_SLIDE, 0, 0, 0, 0, 0))
    # a spring from the side of the wheel along (1, 1): it couples x and the rotation
    m.spring("side", m.ground, b, at_a=(-0.15, -0.18, 0), at_b=(0.05, 0.02, 0), stiffness=COUPLING)
    m.gear_pair("mesh", a, b, mesh=mesh)
    if torque:
        m.torque("load", "output", torque)
    return m


def expected(m: pl.Model, flank: int) -> np.ndarray:
    """Frequencies of the closed form; flank 1: drive, -1: coast."""
    b, carriage = m.bodies["b"], m.bodies["carriage"]
    teeth = np.array([-math.tan(ALPHA), flank * R])
    side = np.array([1.0, -0.02]) / math.sqrt(2)
    k = K_TEETH * math.cos(ALPHA) ** 2 * np.outer(teeth, teeth) + COUPLING * np.outer(side, side)
    k[0, 0] += K_SLIDE
    mass = np.diag([b.mass + carriage.mass, b.inertia[2, 2]])
    return np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(mass, k)).real)) / (2 * np.pi)


MESHES = {
    "elastic": pl.Elastic(K_TEETH, backlash=0),
    "backlash": pl.Elastic(K_TEETH, backlash="2 um"),
    "free centres": pl.Elastic(K_TEETH, backlash=0, follow_centres=True),
    "tables": pl.Loaded([0.0, 5e4], [[0.0], [5e4 / K_TEETH]], along="normal", backlash="10 um"),
}


@pytest.mark.parametrize("torque", (LOAD, -LOAD))
@pytest.mark.parametrize("mesh", MESHES.values(), ids=MESHES)
def test_the_load_of_the_model_determines_the_flank(mesh: Any, torque: float) -> None:
    """In every linear analysis, without statics by the user."""
    m, flank = machine(mesh, torque), int(math.copysign(1, torque))
    right = expected(m, flank)
    assert abs(right[0] / expected(m, -flank)[0] - 1.0) > 0.05
    found = pl.modes(m)
    np.testing.assert_allclose(found.frequencies, right, rtol=1e-4)
    name = "drive" if flank > 0 else "coast"
    assert found.operating_point is not None and dict(found.operating_point.flanks) == {"mesh": name}
    assert "static equilibrium under the loads" in str(found) and f'{name} "mesh"' in str(found)
    linear = pl.linear_model(m, "load", "output.angle")
    poles = np.sort(np.abs(linear.poles().imag))[1::2] / (2 * np.pi)
    np.testing.assert_allclose(poles, right, rtol=1e-4)
    assert linear.operating_point == found.operating_point
    response = pl.frequency_response(m, "load", "output.angle", frequencies=[0.5 * float(right[0])])
    assert response.operating_point == found.operating_point
    about = pl.modes(m, about=pl.statics(m))
    np.testing.assert_allclose(about.frequencies, found.frequencies, rtol=1e-9)
    assert about.operating_point is not None and about.operating_point.state == "end of the statics result"


@pytest.mark.parametrize("line, flank", (("clockwise", 1), ("counter-clockwise", -1)))
@pytest.mark.parametrize("torque", (0.0, LOAD, -LOAD))
def test_a_fixed_line_of_action_needs_no_load(line: str, flank: int, torque: float) -> None:
    m = machine(pl.Elastic(K_TEETH, backlash=0, line_of_action=line), torque)
    found = pl.modes(m)
    np.testing.assert_allclose(found.frequencies, expected(m, flank), rtol=1e-4)
    assert found.operating_point is not None
    assert dict(found.operating_point.flanks) == {"mesh": "drive" if flank > 0 else "coast"}


@pytest.mark.parametrize("analysis", ("modes", "campbell", "floquet", "linear_model", "frequency_response"))
def test_without_load_and_line_it_is_refused(analysis: str) -> None:
    """Before: the teeth acted along the hoop, as no flank does. Statics of the unloaded model is not a solution either."""
    options: dict[str, Any] = {
        "campbell": {"shaft": "output", "speeds": [0.0]},
        "floquet": {"shaft": "output", "speeds": [1.0]},
        "linear_model": {"inputs": "output.torque", "outputs": "output.angle"},
        "frequency_response": {"inputs": "output.torque", "outputs": "output.angle"},
    }
    m = machine(pl.Elastic(K_TEETH, backlash=0), 0.0)
    for about in (None, pl.statics(m)):
        with pytest.raises(
            pl.ModelError, match=r'"mesh": .* cannot determine which flank .* line_of_action="clockwise"'
        ):
            getattr(pl, analysis)(m, **options.get(analysis, {}), about=about)


@pytest.mark.parametrize("acts", ("never pulling", "in contact"))
@pytest.mark.parametrize("speed", (0.1, -0.1))
def test_dampers_do_not_determine_the_flank(speed: float, acts: Any) -> None:
    """Wheel B is given a speed against A, which is held: the damper has a force, and the sign of the deflection is rounding."""
    mesh = pl.Elastic(K_TEETH, backlash=0, damping=100.0, damping_acts=acts)
    assert (
        abs(pl.dynamics(machine(mesh, 0.0, speed=speed), duration=1e-9, step=1e-9)["mesh.normal_force"].values[0]) > 0.1
    )
    for about in (None, "initial"):
        with pytest.raises(pl.ModelError, match=r'"mesh": .* cannot determine which flank'):
            pl.modes(machine(mesh, 0.0, speed=speed), about=about)
    for torque in (LOAD, -LOAD):
        found = pl.modes(machine(mesh, torque, speed=speed))
        np.testing.assert_allclose(found.frequencies, expected(machine(mesh), int(math.copysign(1, torque))), rtol=1e-3)


def test_teeth_in_their_backlash() -> None:
    """Refused, unless the user specifies this state: then a warning."""
    m = machine(pl.Elastic(K_TEETH, backlash="40 um"), 0.0)
    with pytest.raises(pl.ModelError, match=r"carries no load in the static equilibrium .* backlash=0"):
        pl.modes(m)
    for about in ("initial", pl.statics(m)):
        found = pl.modes(m, about=about)
        assert any("within its backlash" in text for text in found.warnings)
        assert found.operating_point is not None and dict(found.operating_point.flanks) == {"mesh": "none"}


def test_a_load_without_equilibrium_is_refused() -> None:
    """The message has that of statics."""
    m = pl.Model("free")
    a = m.gear_body("a", pl.Gear(teeth=20, **COMMON), position=(0, 0, 0), axis="z")
    b = m.gear_body("b", pl.Gear(teeth=30, **COMMON), mesh_with=a, towards=(1, 0, 0))
    m.revolute("input", m.ground, a)
    m.bushing("support", m.ground, b, stiffness=(1e7, 1e7, 1e7, 1e4, 1e4, 0))
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(K_TEETH, backlash=0))
    m.torque("motor", "input", 5.0)
    with pytest.raises(pl.ModelError, match=r"cannot determine .* found no equilibrium: nothing holds"):
        pl.modes(m)
    m.torque("load", b, (0, 0, 7.5))
    assert pl.modes(m).rigid == 1


def test_both_flanks_carry() -> None:
    """Centres pressed together without backlash: 2 k along the hoop, which is not a kink."""
    m = machine(pl.Elastic(K_TEETH, backlash=0), 0.0)
    m.force("press", "b", (-1e3, 0, 0))
    found = pl.modes(m)
    assert found.operating_point is not None and dict(found.operating_point.flanks) == {"mesh": "both"}
    b, carriage = m.bodies["b"], m.bodies["carriage"]
    side = np.array([1.0, -0.02]) / math.sqrt(2)
    k = 2 * K_TEETH * math.cos(ALPHA) ** 2 * np.diag([math.tan(ALPHA) ** 2, R**2]) + COUPLING * np.outer(side, side)
    k[0, 0] += K_SLIDE
    mass = np.diag([b.mass + carriage.mass, b.inertia[2, 2]])
    right = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(mass, k)).real)) / (2 * np.pi)
    np.testing.assert_allclose(found.frequencies, right, rtol=2e-3)


@pytest.mark.parametrize(
    "mesh", (pl.Rolling(), pl.Elastic(K_TEETH, backlash=0, separating=False)), ids=("rolling", "hoop")
)
def test_meshes_without_separating_force_need_no_load(mesh: Any) -> None:
    found = pl.modes(machine(mesh, 0.0))
    assert found.operating_point is not None and found.operating_point.state == "initial state"
    assert dict(found.operating_point.flanks) == {"mesh": "either"} and not found.warnings


def test_the_initial_speeds_are_kept() -> None:
    """A wheel that spins has gyroscopic modes also where statics determines the flank."""

    def spinning(speed: float) -> pl.Model:
        m = pl.Model("spinning")
        a = m.gear_body("a", pl.Gear(teeth=20, **COMMON), position=(0, 0, 0), axis="z", angular_velocity=(0, 0, speed))
        b = m.gear_body("b", pl.Gear(teeth=30, **COMMON), mesh_with=a, angular_velocity=(0, 0, -speed / 1.5))
        for name, wheel in (("support a", a), ("support b", b)):
            m.bushing(name, m.ground, wheel, stiffness=(1e7, 1e7, 1e7, 1e3, 1e3, 0))
        m.gear_pair("mesh", a, b, mesh=pl.Elastic(K_TEETH, backlash=0))
        m.torque("in", a, (0, 0, 0.2)), m.torque("out", b, (0, 0, 0.3))
        return m

    fast = pl.modes(spinning(2000.0))
    rest = pl.modes(spinning(0.0))
    assert fast.operating_point is not None and "equilibrium" in fast.operating_point.state
    assert np.abs(fast.frequencies - rest.frequencies).max() > 1.0


def test_results_keep_the_point_in_files(tmp_path: Path) -> None:
    found = pl.modes(machine(pl.Elastic(K_TEETH, backlash=0)))
    read = pl.load(found.save(tmp_path / "modes.nc"))
    assert isinstance(read, pl.Modes) and read.operating_point == found.operating_point


def test_about_the_initial_state_in_a_file(tmp_path: Path) -> None:
    """about = "initial" in an analysis of a file, also after it is written and read again."""
    m = machine(pl.Elastic(K_TEETH, backlash="2 um"))
    file = tmp_path / "pair.toml"
    m.to_toml(file)
    file.write_text(file.read_text() + '\n[[analyses]]\nname = "apart"\nkind = "modes"\nabout = "initial"\n')
    (found,) = pl.load(file).run().values()
    assert dict(found.operating_point.flanks) == {"mesh": "none"} and found.operating_point.state == "initial state"
