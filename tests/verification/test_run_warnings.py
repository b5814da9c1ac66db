"""What runs say of themselves: steps too long for the teeth, energy that is missing. Sound runs say nothing."""

import math
from typing import Any

import numpy as np
import pytest

import pitchline as pl

TEETH = 20, 33
SPEED = 100.0
MESH_FREQUENCY = SPEED * TEETH[0] / (2.0 * math.pi)
WAVE = pl.Fourier("360 deg", cos=["1 um"], over="angle")
RIPPLE = pl.Fourier("360 deg", mean="4e8 N/m", cos=["4e7 N/m"], over="angle")


def pair(mesh: Any, *, speed: Any = SPEED, start: float = SPEED) -> pl.Model:
    m = pl.Model("pair")
    gears = [pl.Gear(teeth=z, normal_module="2 mm", face_width="20 mm") for z in TEETH]
    a = m.gear_body("a", gears[0], position=(0, 0, 0), axis="z", angular_velocity=(0, 0, start))
    follow = -start * TEETH[0] / TEETH[1]
    b = m.gear_body("b", gears[1], mesh_with=a, towards=(1, 0, 0), angular_velocity=(0, 0, follow))
    m.drive("motor", m.revolute("first", m.ground, a), speed=speed)
    m.revolute("second", m.ground, b)
    m.gear_pair("mesh", a, b, mesh=mesh)
    return m


def warnings(mesh: Any, about: str, **options: Any) -> list[str]:
    result = pl.dynamics(pair(mesh), duration=0.1, **options)
    assert result.status is pl.Status.COMPLETED
    return [text for text in result.warnings if about in text]


LAWS = {
    "stiffness": pl.Elastic(RIPPLE, damping_ratio=0.05, backlash=0),
    "error": pl.Elastic("4e8 N/m", damping_ratio=0.05, backlash=0, error=WAVE),
    "loaded": pl.Loaded(
        [0, 100], [[0, 0, 0, 0], [2e-7, 3e-7, 2e-7, 3e-7]], along="hoop", damping_ratio=0.05, backlash=0
    ),
}


@pytest.mark.parametrize("law", LAWS)
def test_mesh_periods_of_few_steps(law: str) -> None:
    """Warned of from ten steps a period on, once, with the number and the step that would do."""
    (text,) = warnings(LAWS[law], "mesh period", step=0.25 / MESH_FREQUENCY)
    assert '"mesh": a mesh period has 4 steps' in text and "is 0.25)" in text
    assert f"{0.1 / MESH_FREQUENCY:.2g} s or less" in text
    assert not warnings(LAWS[law], "mesh period", step=0.099 / MESH_FREQUENCY)


@pytest.mark.parametrize(
    "mesh",
    [pl.Rolling(), pl.Rigid(), pl.Elastic("4e8 N/m", damping_ratio=0.05, backlash=0),
     pl.Loaded([0, 100], [[0.0], [2e-7]], along="hoop", damping_ratio=0.05, backlash=0)],
    ids=["rolling", "rigid", "constant", "table without phase"],
)  # fmt: skip
def test_nothing_varies_over_the_teeth(mesh: Any) -> None:
    """A step may then pass over any number of teeth."""
    result = pl.dynamics(pair(mesh), duration=0.1, step=3.0 / MESH_FREQUENCY)
    assert not [text for text in result.warnings if "vibrate on the mesh stiffness" not in text]


def test_vibrations_of_wheels_on_their_teeth() -> None:
    """sqrt(k/m_e)/2 pi, 1/m_e = sum of r_b^2/I along the line of action: a tenth of its period is the longest step."""
    m = pair(pl.Elastic("4e8 N/m", damping_ratio=0.05, backlash=0))
    base = [0.5 * 2e-3 * z * math.cos(math.radians(20)) for z in TEETH]
    inertias = [m.bodies[name].inertia[2, 2] for name in "ab"]
    frequency = math.sqrt(4e8 * sum(r * r / i for r, i in zip(base, inertias, strict=True))) / (2 * math.pi)
    coarse, fine = (pl.dynamics(m, duration=0.02, step=part / frequency) for part in (0.2, 0.099))
    (text,) = [text for text in coarse.warnings if "vibrate on the mesh stiffness" in text]
    assert f"at {frequency:.3g} Hz, and a period has 5 steps" in text
    assert not [text for text in fine.warnings if "vibrate on the mesh stiffness" in text]
    assert not pl.dynamics(m, duration=0.02).warnings


def test_error_control_resolves_the_teeth_or_says_so() -> None:
    """A loose tolerance passes over them."""
    weak = pl.Elastic(
        "4e8 N/m", damping_ratio=0.05, backlash=0, error=pl.Fourier("360 deg", cos=["0.1 nm"], over="angle")
    )
    assert warnings(weak, "mesh period", tolerance=1e-2)
    assert not warnings(weak, "mesh period", max_step=0.09 / MESH_FREQUENCY)


def test_open_energy_balance() -> None:
    """A drive that shakes the pair, in ever shorter steps: the error falls with the square of the step."""
    said, parts = [], []
    for steps in (10, 40, 160):
        result = pl.dynamics(
            pair(pl.Rigid(), speed=pl.Harmonic(SPEED, 10.0), start=0.0), duration=0.1, step=0.1 / steps
        )
        texts = [text for text in result.warnings if "energy balance" in text]
        missing = np.abs(result["energy.balance_error"].values).max()
        kinetic, work = (np.asarray(result[f"energy.{name}"].values) for name in ("kinetic", "work"))
        parts.append(missing / (np.ptp(kinetic) + np.abs(np.diff(work)).sum()))
        said.append(bool(texts))
        for text in texts:
            assert f"up to {missing:.3g} J" in text and "leave out step" in text
            said_part = float(text.split(" J, ")[1].split(" %")[0])
            assert said_part == pytest.approx(100 * parts[-1], rel=0.01)
    assert said == [part > 0.01 for part in parts]
    assert said[0] and not said[-1]
    assert np.log2(parts[1] / parts[2]) / 2.0 == pytest.approx(2.0, abs=0.3)


def test_still_and_steady_models_have_closed_balances() -> None:
    """Nothing moves, or nothing changes: rounding is no missing energy."""
    m = pl.Model("still")
    m.body("block", mass=1.0, inertia=(1, 1, 1))
    m.prismatic("rail", m.ground, "block", axis="x")
    assert not pl.dynamics(m, duration=1.0, step=0.01).warnings
    m = pl.Model("flywheel")
    m.body("wheel", mass=1.0, inertia=(1, 1, 1), angular_velocity=(0, 0, 1e3))
    m.revolute("axle", m.ground, "wheel", axis="z")
    assert not pl.dynamics(m, duration=1.0, step=1e-3).warnings


def test_warnings_are_kept_by_files(tmp_path: Any) -> None:
    result = pl.dynamics(pair(LAWS["error"]), duration=0.02, step=0.25 / MESH_FREQUENCY)
    assert result.warnings
    result.save(tmp_path / "run.nc")
    assert pl.load(tmp_path / "run.nc").warnings == result.warnings
