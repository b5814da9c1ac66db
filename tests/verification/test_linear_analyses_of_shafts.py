"""Linear analyses of elastic shafts: sparse matrices give what dense ones do; what turns and is not round is told."""

import numpy as np
import pytest
from references.unbalanced_rotor import rotor

import pitchline as pl
from pitchline.analyses import frequency_response, modes

ALWAYS, NEVER = 0, 10**9


@pytest.fixture(scope="module")
def shaft() -> pl.Model:
    return rotor(eccentricity=0.0, elements=12, damping=1e-6)


def test_campbell_with_sparse_and_with_dense_matrices(shaft, monkeypatch) -> None:
    speeds = [1.0, 2000.0, 6000.0]
    monkeypatch.setattr(modes, "SPARSE_FROM", ALWAYS)
    sparse = pl.campbell(shaft, "shaft", speeds, highest="2 kHz")
    monkeypatch.setattr(modes, "SPARSE_FROM", NEVER)
    dense = pl.campbell(shaft, "shaft", speeds, highest="2 kHz")
    assert sparse.frequencies.shape == dense.frequencies.shape and dense.frequencies.shape[1] >= 4
    assert sparse.frequencies == pytest.approx(dense.frequencies, rel=1e-6)
    assert sparse.damping_ratios == pytest.approx(dense.damping_ratios, rel=1e-4, abs=1e-9)
    assert sparse.whirl[1:] == pytest.approx(dense.whirl[1:], abs=1e-5)


def test_responses_with_sparse_and_with_dense_matrices(shaft, monkeypatch) -> None:
    asked = {
        "inputs": ["shaft disc.force.x", "shaft start.torque.y"],
        "outputs": ["shaft disc.position.x", "support start.force.x", "shaft end.velocity.y"],
        "frequencies": [10.0, 200.0, 1000.0],
    }
    monkeypatch.setattr(frequency_response, "SPARSE_FROM", ALWAYS)
    sparse = pl.frequency_response(shaft, **asked).response
    monkeypatch.setattr(frequency_response, "SPARSE_FROM", NEVER)
    dense = pl.frequency_response(shaft, **asked).response
    assert np.all(np.abs(sparse - dense) < 1e-6 * np.abs(dense).max(axis=0))


def rod(section: pl.BeamSection) -> pl.Model:
    m = pl.Model("rod")
    s = m.beam("rod", (0, 0, 0), (0, 0, 0.4), section, elements=4, angular_velocity=(0, 0, 100.0))
    for end in ("start", "end"):
        m.bushing(end, m.ground, s[end], at=s[end].position, axis="z", stiffness=np.diag([1e7] * 3 + [1e2] * 2 + [0]))
    return m


def test_what_turns_and_is_not_round_is_told() -> None:
    flat = rod(pl.BeamSection.rectangle("20 mm", "10 mm"))
    (said,) = pl.modes(flat).warnings
    assert said.startswith('structures "rod" rotate and are not axisymmetric')
    assert not pl.modes(flat, turning_with="rod start").warnings
    assert not pl.modes(rod(pl.BeamSection.circle("20 mm"))).warnings


def test_modes_about_elastic_kinematics_are_those_of_the_campbell_diagram() -> None:
    """A shaft that spins and bends under load: the same state by both ways, and no word of a shaft that is not round."""
    speed = 3000.0

    def model(**drive: float) -> pl.Model:
        m = pl.Model("loaded")
        motor = m.body("motor", mass=5.0, inertia=(0.01, 0.01, 0.01), position=(0, 0, -0.1))
        m.drive("drive", m.revolute("hinge", m.ground, motor, axis="z"), **drive)
        places = {"left": "20 mm", "load": "150 mm", "right": "280 mm"}
        s = m.shaft("shaft", [pl.ShaftSection("300 mm", outer="20 mm")], stations=places)
        m.attached_mass("disc", s["load"], mass=2.0, inertia=(4e-3, 4e-3, 8e-3))
        m.bushing("coupling", motor, s["start"], at=(0, 0, 0), axis="z", stiffness=np.diag([0, 0, 0, 0, 0, 1e4]))
        for end in ("left", "right"):
            m.bushing(end, m.ground, s[end], at=s[end].position, axis="z", stiffness=np.diag([1e8] * 3 + [0] * 3))
        m.force("load", s["load"], (0.0, -2000.0, 0.0))
        return m

    turning = model(speed=speed)
    spinning = pl.modes(turning, about=pl.kinematics(turning, times=[0.0], elastic=True))
    assert not spinning.warnings
    resting = model(angle=0.0)
    diagram = pl.campbell(resting, "hinge", [speed], about=pl.statics(resting))
    assert not diagram.warnings
    assert spinning.frequencies[:8] == pytest.approx(diagram.frequencies[0, :8], rel=1e-5)
    still = pl.modes(resting, about=pl.statics(resting)).frequencies
    assert np.abs(spinning.frequencies[:8] / still[:8] - 1).max() > 0.01  # gyroscopic terms


def test_a_blade_on_a_hub_is_stiffened_by_its_centrifugal_forces() -> None:
    """Flapping of a spinning cantilever: f^2 = f_0^2 + 1.193 (Omega/2 pi)^2 (Southwell), in a state that is stretched; about one
    that is not, a warning says so."""
    speed, f0 = 50.0, 16.566
    m = pl.Model("fan")
    hub = m.body("hub", mass=1, inertia=(1, 1, 1), angular_velocity=(0, 0, speed))
    m.drive("motor", m.revolute("axle", m.ground, hub, axis="z"), speed=speed)
    section = pl.BeamSection.rectangle("20 mm", "5 mm")
    m.beam("blade", hub, (1, 0, 0), section, up="y", elements=8, damping="5 ms", angular_velocity=(0, 0, speed))
    run = pl.dynamics(m, duration="0.5 s", step="1 ms")
    found = pl.modes(m, about=run, turning_with="hub")
    assert found.frequencies[1] == pytest.approx(np.sqrt(f0**2 + 1.193 * (speed / (2 * np.pi)) ** 2), rel=2e-3)
    assert not found.warnings
    slack = pl.modes(m, about=pl.kinematics(m, times=[0], elastic=True), turning_with="hub")
    assert any(
        'structures "blade" do not rotate steadily. Centrifugal forces have not' in text for text in slack.warnings
    )
    diagram = pl.campbell(m.replaced(without="motor"), "axle", [0.0, 5.0], turning_with="hub")
    assert any('structures "blade" do not rotate steadily' in text for text in diagram.warnings)


def test_campbell_of_a_rotor_with_weight_and_unbalance() -> None:
    """A weight off the axis by 20 um swings as a pendulum far below all whirl, and does not keep the shaft from turning."""
    balanced = pl.campbell(rotor(eccentricity=0.0), "shaft", [0.0, 600.0], highest="1 kHz").frequencies
    m = rotor(weight=9.81)
    diagram = pl.campbell(m, "shaft", [0.0, 600.0, 1200.0], highest="1 kHz", about=pl.statics(m))
    found = diagram.frequencies[:2]
    assert np.isnan(diagram.frequencies[-1, 0])  # the pendulum no longer oscillates
    assert diagram.plot().axes[0].get_ylim()[1] > np.nanmax(diagram.frequencies)
    pendulum = np.sqrt(2 * 9.81 * 2e-5 / 4.2e-3) / (2 * np.pi)
    assert found[0, 0] == pytest.approx(pendulum, rel=0.05)
    # forward and backward whirl are equal at rest: either can come first
    assert np.sort(found[:, 1:3]) == pytest.approx(np.sort(balanced[:, :2]), rel=1e-5)
