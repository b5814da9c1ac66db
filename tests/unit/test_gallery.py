"""The gallery: every mechanism runs and obeys the law that its file states."""

from pathlib import Path

import numpy as np
import pytest
from references.gallery_runs import figures_of as found
from references.gallery_runs import run_of
from references.newton_euler import rotation

import pitchline as pl
from pitchline import gallery
from pitchline.errors import ModelError, PitchlineError
from pitchline.files import ModelFile
from pitchline.gallery import __main__ as console
from pitchline.gallery.catalogue import _MODULES
from pitchline.gallery.figures import Figure, figures_table, report
from pitchline.gallery.model_kinds import free_names

MECHANISMS = (
    "press", "four-bar", "double-pendulum", "heavy-top", "governor", "rotor", "speed-control", "stick-slip", "powertrain-1d",
)  # fmt: skip
"""Run here; the gears are run by the tests that hold them against the published numbers."""


def result_of(name: str) -> pl.Result:
    return list(run_of(name).values())[-1]


PROGRAMS = [name for name in gallery.MODELS if name in _MODULES]


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_keeps_the_contract(name: str) -> None:
    one = gallery.model(name)
    assert one.name == name and one.line == gallery.MODELS[name]
    assert one.module.__doc__ and one.module.build.__doc__ and one.module.run.__doc__ and one.module.figures.__doc__
    assert one.build().name == name
    assert one.plot_signals and one.parameters


@pytest.mark.parametrize("name", MECHANISMS)
def test_every_mechanism_runs(name: str) -> None:
    one, result = gallery.model(name), result_of(name)
    assert result.model_name == name
    assert result.status is pl.Status.COMPLETED
    figures = one.figures(run_of(name))
    assert figures and len({f.key for f in figures}) == len(figures)
    assert all(f.description for f in figures)
    assert result.select(*one.plot_signals)


def test_all_modules_with_a_model_are_listed() -> None:
    folder = Path(gallery.__file__).parent
    modules = {p.stem for p in folder.glob("*.py") if "\ndef build(" in p.read_text("utf-8")}
    assert modules == set(_MODULES.values())


def test_names_are_found_with_dashes_and_underscores() -> None:
    assert gallery.model("four_bar").name == gallery.model("four-bar").name == "four-bar"
    assert gallery.model("kubo_c").build().name == "kubo-c"


def test_an_unknown_model_is_named() -> None:
    with pytest.raises(ModelError, match='no model "heavytop"; did you mean "heavy-top"'):
        gallery.model("heavytop")


def test_a_run_that_was_stopped_has_no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    one = gallery.model("four-bar")
    stopped = pl.Result(kind="dynamics", model_name="x", time=np.zeros(0), signals={}, status=pl.Status.INTERRUPTED)
    monkeypatch.setattr(ModelFile, "run", lambda self, **options: {"turn": stopped})
    with pytest.raises(KeyboardInterrupt):
        one.run()


# --- the press -----------------------------------------------------------------------------------------


def test_press_settles_by_its_weight_over_the_stiffness_of_its_mounts() -> None:
    weight = 9.81 * sum(body.mass for body in gallery.model("press").build().bodies.values())
    sunk = run_of("press")["rest"]["frame.position"].values[-1]
    np.testing.assert_allclose(sunk, [0, 0, -weight / (4 * 4e6)], atol=1e-12)


def test_press_is_brought_to_speed_without_inertia() -> None:
    """Three turns of a symmetric ramp; way of the ram below the crank r (1 - cos) - l + sqrt(l^2 - r^2 sin^2); power of
    the motor torque times speed."""
    spun = run_of("press")["spun"]
    angle, rate = spun["left_bearing.angle"].values, spun["left_bearing.angular_speed"].values
    assert angle[-1] == pytest.approx(3 * 2 * np.pi, rel=1e-12)
    assert rate[-1] == pytest.approx(3 * 2 * np.pi, rel=1e-12)
    r, l = 0.1, 0.6
    way = r * (1 - np.cos(angle)) - l + np.sqrt(l**2 - (r * np.sin(angle)) ** 2)
    np.testing.assert_allclose(spun["guide.displacement"].values, -way, atol=1e-10)
    np.testing.assert_allclose(spun["motor.power"].values, spun["motor.torque"].values * rate, atol=1e-9)


def test_press_spends_what_its_flywheels_give() -> None:
    """Energy lost = energy dissipated, to the error of the integration (measured by itself), and the speed falls at every
    blow. Work is summed by the trapezium rule across the jump of the damper at contact: 1e-3 of the energy."""
    free = run_of("press")["free"]
    stored = free["energy.kinetic"].values + free["energy.potential"].values
    lost = free["energy.dissipated"].values
    np.testing.assert_allclose(stored + lost, stored[0], atol=1e-3 * free["energy.kinetic"].values[0])
    touching = free["billet.force"].values > 0
    starts = np.flatnonzero(touching[1:] & ~touching[:-1])
    assert len(starts) == found("press")["blows"].value == 5
    assert np.all(np.diff(free["left_bearing.angular_speed"].values[starts]) < -1.0)


def test_press_shares_its_load_evenly_between_its_two_bearings() -> None:
    """Redundant: named, flagged, and by symmetry (least norm) one half each with no axial force and no moments."""
    free = run_of("press")["free"]
    (warning,) = free.warnings
    assert warning.startswith('redundant: 8 constraints of "right_bearing", "guide"')
    left, right = free["left_bearing.force"], free["right_bearing.force"]
    assert "not unique" in left.description and "not unique" in right.description
    assert "not unique" not in free["billet.force"].description
    size = float(np.max(left.norm().values))
    np.testing.assert_allclose(left.values, right.values, atol=1e-5 * size)
    np.testing.assert_allclose(left.values[:, 1], 0, atol=1e-5 * size)


# --- the others ----------------------------------------------------------------------------------------


def _rocker_angle(phi: np.ndarray) -> np.ndarray:
    """Freudenstein's equation, the open branch; links of 0.1, 0.2 (ground), 0.25 and 0.25 m."""
    A, B = 0.5 * (0.2 - 0.1 * np.cos(phi)), -0.05 * np.sin(phi)
    C = 0.25**2 - 0.1**2 - 0.25**2 - 0.2**2 + 0.04 * np.cos(phi)
    return np.asarray(np.arctan2(B, A) + np.arccos(C / np.hypot(A, B)))


def test_four_bar_follows_freudenstein() -> None:
    result = result_of("four-bar")
    closed = _rocker_angle(np.pi + 2 * np.pi * result.time)
    angle = result["rocker_pivot.angle"].values
    np.testing.assert_allclose(angle - angle[0], closed - closed[0], atol=1e-10)
    assert found("four-bar")["straight.deviation"].value < 1.0
    assert found("four-bar")["straight.length"].value == pytest.approx(400, abs=1)


def test_double_pendulum_keeps_energy_and_vertical_momentum() -> None:
    """Both drift with the square of the step; with a tolerance of 1e-8 by less than 1e-4 of what is exchanged."""
    result = result_of("double-pendulum")
    assert float(np.max(result["energy.kinetic"].values)) > 30.0
    assert np.max(np.abs(result["energy.balance_error"].values)) < 1e-4 * 39.0
    momentum = _vertical_momentum(gallery.model("double-pendulum").build(), result)
    assert np.ptp(momentum) < 1e-4 * 2.0
    assert found("double-pendulum")["momentum.start"].value == pytest.approx(momentum[0], rel=1e-9)
    assert found("double-pendulum")["momentum.change"].value == pytest.approx(np.ptp(momentum), rel=1e-6)


def _vertical_momentum(model: pl.Model, result: pl.Result) -> np.ndarray:
    """L_z over time [kg m^2/s], from the orientations; the origin of each rod is its centre of mass."""
    total = np.zeros(result.samples)
    for name, body in model.bodies.items():
        x, v = result[f"{name}.position"].values, result[f"{name}.velocity"].values
        total += body.mass * (x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0])
        R = np.array([rotation(q) for q in result[f"{name}.orientation"].values])
        omega = result[f"{name}.angular_velocity"].values
        total += np.einsum("nij,jk,nlk,nl->ni", R, body.inertia, R, omega)[:, 2]
    return total


def test_heavy_top_precesses_steadily() -> None:
    """Order 2: the disc turns by 5 mrad in a step, whose square, 2.5e-5, bounds the relative errors, times a small number."""
    numbers = found("heavy-top")
    bound = 4 * (250.0 * 20e-6) ** 2
    assert numbers["precession"].value == pytest.approx(3.500229908378381, rel=bound)
    assert numbers["precession"].expected == pytest.approx(3.500229908378381, rel=1e-12)
    assert numbers["inclination.mean"].value == pytest.approx(30.0, rel=bound)
    assert np.radians(numbers["inclination.peak_to_peak"].value) < bound


def test_heavy_top_without_precession_nutates() -> None:
    result = pl.dynamics(gallery.model("heavy-top", precession="0 rad/s").build(), duration="0.5 s", step="50 us")
    x, y, z = result["disc.position"].values.T
    tilt = np.arctan2(np.hypot(x, y), z)
    assert tilt.min() > np.radians(30) - 1e-4  # it falls first, and never rises above its start
    assert np.ptp(tilt) > 0.05


def test_speed_control_follows_the_matrix_exponential() -> None:
    """The state of the controller with it; steps of 0.1 ms, errors of second order."""
    for figure in found("speed-control").values():
        assert figure.value == pytest.approx(figure.expected, rel=1e-5), figure.key


def test_governor_finds_its_height() -> None:
    """h = (1 + M/m) g / omega^2 before and after the ramp, to the order of (h omega)^2 / 12 with turns of 0.1 rad a step."""
    result, bound = result_of("governor"), 0.1**2 / 12
    sleeve = result["sleeve.position.z"]
    assert sleeve.at(0.5) == pytest.approx(-2 * 5 * 9.81 / 15**2, rel=bound)
    assert sleeve.final == pytest.approx(-2 * 5 * 9.81 / 20**2, rel=bound)
    assert result["link_1.force"].final == pytest.approx(found("governor")["link.force"].expected, rel=bound)
    np.testing.assert_allclose(result["ball_1.position.z"].values, result["ball_2.position.z"].values, atol=1e-9)


def test_rotor_whirls_as_it_should_above_its_critical_speed() -> None:
    """The amplitude at rest with its unbalance, to a few times the square of the turn a step (0.1 rad), and the critical
    speed is felt late, because the run-up does not wait."""
    numbers = found("rotor")
    closed = 0.2 * 2.5**2 / np.hypot(1 - 2.5**2, 2 * 0.08 * 2.5)
    assert numbers["whirl.top_speed"].expected == pytest.approx(closed, rel=1e-12)
    assert numbers["whirl.top_speed"].value == pytest.approx(closed, rel=5e-3)
    slow = numbers["whirl.slow_max"].value
    assert 0.5 * slow < numbers["whirl.max"].value < slow
    assert 100 < numbers["whirl.max_speed"].value < 140
    assert numbers["bearings.weight"].value == pytest.approx(98.1, rel=1e-6)


# --- printed lists and the demonstration -------------------------------------------------------------------


def test_figures_are_shown_as_a_table() -> None:
    text = figures_table(
        [
            Figure("speed", 12.3456789, "rad/s", "how fast", 12.0),
            Figure("slip", 1e-15, "", "by how much"),
            Figure("force", [1.0, -2.5], "N", "how much", [1.0, -2.0]),
            Figure("locked", True, "", "whether", True),
        ]
    )
    rows = [line.split() for line in text.splitlines()[2:]]
    assert rows[0] == ["speed", "how", "fast", "12.3457", "rad/s", "12"]
    assert rows[1] == ["slip", "by", "how", "much", "0", "-"]
    assert rows[2] == ["force[0]", "how", "much", "1", "N", "1"]
    assert rows[3] == ["force[1]", "-2.5", "N", "-2"]
    assert rows[4] == ["locked", "whether", "yes", "-", "yes"]


def test_a_report_is_plain_data() -> None:
    figures = [
        Figure("force", np.array([1.0, np.nan]), "N"),
        Figure("locked", np.bool_(True)),
        Figure("n", np.int64(3)),
    ]
    said = report("four-bar", run_of("four-bar"), figures)
    assert said == {
        "model": "four-bar",
        "analyses": [{"name": "turn", "kind": "kinematics", "status": "completed"}],
        "figures": {
            "force": {"value": [1.0, None], "unit": "N"},
            "locked": {"value": True, "unit": ""},
            "n": {"value": 3, "unit": ""},
        },
    }


def test_names_that_are_taken_are_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "out"
    assert [p.name for p in free_names(folder, "press", ".png", ".nc")] == ["press.png", "press.nc"]
    (folder / "press.nc").touch()
    assert [p.name for p in free_names(folder, "press", ".png", ".nc")] == ["press-2.png", "press-2.nc"]
    (tmp_path / "file").touch()
    with pytest.raises(PitchlineError, match="cannot create the folder"):
        free_names(tmp_path / "file", "press", ".png")


def test_the_gallery_lists_and_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert console.main([]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed and line in listed for name, line in gallery.MODELS.items())
    assert console.main(["four_bar", "-o", str(tmp_path)]) == 0
    assert "swing of the rocker" in capsys.readouterr().out
    assert (tmp_path / "four-bar.png").stat().st_size > 10_000
    assert console.main(["five_bar", "-o", str(tmp_path)]) == 1
    assert 'did you mean "four-bar"' in capsys.readouterr().err
