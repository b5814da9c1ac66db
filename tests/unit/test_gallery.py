"""The gallery: every mechanism runs and obeys the law that its docstring states."""

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

import pitchline as pl
from pitchline import gallery
from pitchline.errors import PitchlineError
from pitchline.gallery import __main__ as shelf
from pitchline.gallery import demo, double_pendulum, four_bar, governor, heavy_top, press, rotor
from pitchline.gallery.findings import Finding, findings_table
from pitchline.gallery.output import free_names


@lru_cache
def result_of(name: str) -> pl.Result:
    return stages().free if name == "press" else gallery.mechanism(name).run()


@lru_cache
def stages() -> press.Stages:
    return press.stages()


def found(name: str) -> dict[str, Finding]:
    return {f.name: f for f in gallery.mechanism(name).findings(result_of(name))}


@pytest.mark.parametrize("name", gallery.MECHANISMS)
def test_every_mechanism_keeps_the_contract(name: str) -> None:
    one = gallery.mechanism(name)
    assert one.__doc__ and one.build.__doc__ and one.run.__doc__
    model, result = one.build(), result_of(name)
    assert model.name == name
    assert result.model_name == name
    assert result.status is pl.Status.COMPLETED
    assert found(name)
    assert result.select(*one.PLOT)


def test_all_modules_with_a_model_are_listed() -> None:
    modules = {p.stem for p in Path(gallery.__file__).parent.glob("*.py") if "def build(" in p.read_text("utf-8")}
    assert modules - {"__init__"} == set(gallery.MECHANISMS)


def test_an_unknown_mechanism_is_named() -> None:
    with pytest.raises(PitchlineError, match='no mechanism "heavytop"; did you mean "heavy_top"'):
        gallery.mechanism("heavytop")


# --- the press -----------------------------------------------------------------------------------------


def test_press_settles_by_its_weight_over_the_stiffness_of_its_mounts() -> None:
    weight = 9.81 * sum(body.mass for body in press.build().bodies.values())
    sunk = stages().rest["frame.position"].values[-1]
    np.testing.assert_allclose(sunk, [0, 0, -weight / (4 * press.MOUNT_STIFFNESS)], atol=1e-12)


def test_press_is_brought_to_speed_without_inertia() -> None:
    """Three turns of a symmetric ramp; way of the ram below the crank r (1 - cos) - l + sqrt(l^2 - r^2 sin^2); power of
    the motor torque times speed."""
    spun = stages().spun
    angle, rate = spun["left_bearing.angle"].values, spun["left_bearing.angular_speed"].values
    assert angle[-1] == pytest.approx(press.SPEED * press.RUN_UP / 2, rel=1e-12)
    assert rate[-1] == pytest.approx(press.SPEED, rel=1e-12)
    r, l = press.RADIUS, press.ROD
    way = r * (1 - np.cos(angle)) - l + np.sqrt(l**2 - (r * np.sin(angle)) ** 2)
    np.testing.assert_allclose(spun["guide.displacement"].values, -way, atol=1e-10)
    np.testing.assert_allclose(spun["motor.power"].values, spun["motor.torque"].values * rate, atol=1e-9)


def test_press_spends_what_its_flywheels_give() -> None:
    """Energy lost = energy dissipated, to the error of the integration (measured by itself), and the speed falls at every
    blow. Work is summed by the trapezium rule across the jump of the damper at contact: 1e-3 of the energy."""
    free = stages().free
    stored = free["energy.kinetic"].values + free["energy.potential"].values
    lost = free["energy.dissipated"].values
    np.testing.assert_allclose(stored + lost, stored[0], atol=1e-3 * free["energy.kinetic"].values[0])
    touching = free["billet.force"].values > 0
    starts = np.flatnonzero(touching[1:] & ~touching[:-1])
    assert len(starts) == press.blows(free) == 5
    assert np.all(np.diff(free["left_bearing.angular_speed"].values[starts]) < -1.0)


def test_press_shares_its_load_evenly_between_its_two_bearings() -> None:
    """Redundant: named, flagged, and by symmetry (least norm) one half each with no axial force and no moments."""
    free = stages().free
    (warning,) = free.warnings
    assert warning.startswith('redundant: 8 constraints of "right_bearing", "guide"')
    left, right = free["left_bearing.force"], free["right_bearing.force"]
    assert "not unique" in left.description and "not unique" in right.description
    assert "not unique" not in free["billet.force"].description
    size = float(np.max(left.norm().values))
    np.testing.assert_allclose(left.values, right.values, atol=1e-5 * size)
    np.testing.assert_allclose(left.values[:, 1], 0, atol=1e-5 * size)


# --- the others ----------------------------------------------------------------------------------------


def test_four_bar_follows_freudenstein() -> None:
    result = result_of("four_bar")
    closed = four_bar.rocker_angle(np.pi + four_bar.SPEED * result.time)
    angle = result["rocker_pivot.angle"].values
    np.testing.assert_allclose(angle - angle[0], closed - closed[0], atol=1e-10)
    assert found("four_bar")["its deviation from a straight line"].value < 1.0
    assert found("four_bar")["length of the straight part"].value == pytest.approx(400, abs=1)


def test_double_pendulum_keeps_energy_and_vertical_momentum() -> None:
    """Both drift with the square of the step; with a tolerance of 1e-8 by less than 1e-4 of what is exchanged."""
    result = result_of("double_pendulum")
    assert float(np.max(result["energy.kinetic"].values)) > 30.0
    assert np.max(np.abs(result["energy.balance_error"].values)) < 1e-4 * 39.0
    momentum = double_pendulum.vertical_momentum(double_pendulum.build(), result)
    assert np.ptp(momentum) < 1e-4 * 2.0


def test_heavy_top_precesses_steadily() -> None:
    """Order 2: the disc turns by 5 mrad in a step, whose square, 2.5e-5, bounds the relative errors, times a small number."""
    numbers = found("heavy_top")
    bound = 4 * (heavy_top.SPIN * 20e-6) ** 2
    assert numbers["precession"].value == pytest.approx(heavy_top.precession(), rel=bound)
    assert numbers["inclination, mean"].value == pytest.approx(30.0, rel=bound)
    assert np.radians(numbers["inclination, peak to peak"].value) < bound


def test_heavy_top_without_precession_nutates() -> None:
    result = pl.dynamics(heavy_top.build(steady=False), duration="0.5 s", step="50 us")
    x, y, z = result["disc.position"].values.T
    tilt = np.arctan2(np.hypot(x, y), z)
    assert tilt.min() > heavy_top.TILT - 1e-4  # it falls first, and never rises above its start
    assert np.ptp(tilt) > 0.05


def test_governor_finds_its_height() -> None:
    """h = (1 + M/m) g / omega^2 before and after the ramp, to the order of (h omega)^2 / 12 with turns of 0.1 rad a step."""
    result, bound = result_of("governor"), 0.1**2 / 12
    sleeve = result["sleeve.position.z"]
    assert sleeve.at(0.5) == pytest.approx(-2 * governor.depth(governor.SLOW), rel=bound)
    assert sleeve.final == pytest.approx(-2 * governor.depth(governor.FAST), rel=bound)
    assert result["link_1.force"].final == pytest.approx(found("governor")["force of a link at the end"].expected, rel=bound)
    np.testing.assert_allclose(result["ball_1.position.z"].values, result["ball_2.position.z"].values, atol=1e-9)


def test_rotor_whirls_as_it_should_above_its_critical_speed() -> None:
    """The amplitude at rest with its unbalance, to a few times the square of the turn a step (0.1 rad), and the critical
    speed is felt late, because the run-up does not wait."""
    numbers = found("rotor")
    assert numbers["whirl at the top speed"].value == pytest.approx(1e3 * rotor.amplitude(rotor.TOP), rel=5e-3)
    slow = numbers["the same, if run up slowly"].value
    assert 0.5 * slow < numbers["largest whirl on the way"].value < slow
    assert rotor.CRITICAL < numbers["speed at which it was met"].value < 1.4 * rotor.CRITICAL
    assert numbers["weight in the bearings"].value == pytest.approx(98.1, rel=1e-6)


# --- the shelf and the demonstration -------------------------------------------------------------------


def test_findings_are_shown_as_a_table() -> None:
    text = findings_table([Finding("speed", 12.3456789, "rad/s", 12.0), Finding("slip", 1e-15, "")])
    assert text.splitlines()[2].split() == ["speed", "12.346", "rad/s", "12"]
    assert text.splitlines()[3].split() == ["slip", "0", "-"]


def test_names_that_are_taken_are_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "out"
    assert [p.name for p in free_names(folder, "press", ".png", ".nc")] == ["press.png", "press.nc"]
    (folder / "press.nc").touch()
    assert [p.name for p in free_names(folder, "press", ".png", ".nc")] == ["press-2.png", "press-2.nc"]
    (tmp_path / "file").touch()
    with pytest.raises(PitchlineError, match="cannot make the folder"):
        free_names(tmp_path / "file", "press", ".png")


def test_the_demonstration_says_what_it_found_and_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(press, "stages", stages)  # run once for all tests
    out = tmp_path / "out"
    assert demo.main(["-o", str(out)]) == 0
    first = capsys.readouterr().out
    assert demo.main(["-o", str(out)]) == 0  # again: nothing is overwritten
    second = capsys.readouterr().out
    for word in ("sinking of the frame", "rpm", "kJ", "redundant", str(out / "press.png"), str(out / "press.nc")):
        assert word in first
    assert str(out / "press-2.png") in second
    assert {p.name for p in out.iterdir()} == {"press.png", "press.nc", "press-2.png", "press-2.nc"}
    loaded = pl.load(out / "press.nc")
    np.testing.assert_array_equal(loaded["ram.position"], stages().free["ram.position"])


def test_the_shelf_lists_and_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert shelf.main([]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed and line in listed for name, line in gallery.MECHANISMS.items())
    assert shelf.main(["four_bar", "-o", str(tmp_path)]) == 0
    assert "swing of the rocker" in capsys.readouterr().out
    assert (tmp_path / "four_bar.png").stat().st_size > 10_000
    assert shelf.main(["five_bar", "-o", str(tmp_path)]) == 1
    assert 'did you mean "four_bar"' in capsys.readouterr().err
