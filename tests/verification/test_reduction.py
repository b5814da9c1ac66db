"""Bodies on a joint to ground carried with the joint's coordinates, or with six coordinates and multipliers: the same
motion and the same reactions to 1e-10 (relative where numbers are large), joint by joint, in dynamics, statics and
kinematics.

Both solve the same equations of the same method, in other unknowns: they differ by what Newton and rounding leave.
"""

import numpy as np
import pytest
from references.newton_euler import Mechanism
from references.observed_order import largest

import pitchline as pl

KINDS = ["revolute", "prismatic", "planar", "plane_on_plane", "cylindrical", "screw", "spherical", "fixed"]


def machine(kind: str, *, swapped: bool = False) -> pl.Model:
    """A body with an offset centre of mass on a joint with a skew axis, a second body hanging on it by a ball joint,
    springs and loads. swapped: the ground is the second body of the joint."""
    m = pl.Model(kind, gravity=(1.0, -2.0, -9.0))
    m.body(
        "a",
        mass=2.0,
        inertia=((0.3, 0.02, 0.01), (0.02, 0.4, -0.03), (0.01, -0.03, 0.5)),
        centre_of_mass=(0.1, 0.2, -0.1),
        position=(0.3, 0.1, 0.2),
        orientation=pl.Rotation((1, 2, 3), 0.7),
    )
    m.body("b", mass=0.5, inertia=(0.02, 0.03, 0.04), position=(0.9, 0.4, 0.0))
    ends = ("a", m.ground) if swapped else (m.ground, "a")
    options = {"lead": 0.3} if kind == "screw" else {}
    getattr(m, kind)("support", *ends, at=(0.1, -0.2, 0.3), axis=(1, 1, 2), **options)
    m.spherical("ball", "a", "b", at=(0.6, 0.3, 0.1))
    # off the centre of b, so that its attitude is determined in statics too
    m.spring(
        "spring", m.ground, "b", at_a=(1.5, 0, 1.0), at_b=(1.0, 0.5, -0.1), stiffness=40.0, damping=0.5, free_length=0.6
    )
    m.bushing("mount", m.ground, "a", stiffness=(50.0,) * 3 + (5.0,) * 3, damping=(1.0,) * 3 + (0.1,) * 3)
    m.force("push", "a", (0, pl.Harmonic(3.0, 0.7), 0), at=(0.5, 0.5, 0.5), axes="body")
    return m


def compare(reduced: pl.Result, full: pl.Result, limit: float) -> None:
    assert list(reduced.signals) == list(full.signals)
    for name, signal in full.signals.items():
        size = max(1.0, float(np.max(np.abs(signal.values))))
        assert largest(reduced[name].values, signal.values) < limit * size, name


@pytest.mark.parametrize("swapped", [False, True], ids=["on ground", "swapped"])
@pytest.mark.parametrize("kind", KINDS)
def test_dynamics(kind, swapped) -> None:
    """Multipliers are second derivatives of positions: what rounding leaves in these, over h^2 = 1e-6, is left in
    them."""
    runs = [
        pl.dynamics(machine(kind, swapped=swapped), duration=0.5, step=2e-3, newton_tolerance=1e-12, reduce=reduce)
        for reduce in (True, False)
    ]
    assert runs[0].statistics["coordinates"] < runs[1].statistics["coordinates"]
    for body in "ab":
        for signal in ("position", "velocity", "angular_velocity", "orientation"):
            assert largest(runs[0][f"{body}.{signal}"].values, runs[1][f"{body}.{signal}"].values) < 1e-10
    compare(*runs, 1e-8)


@pytest.mark.parametrize("swapped", [False, True], ids=["on ground", "swapped"])
@pytest.mark.parametrize("kind", KINDS)
def test_reactions_of_one_state(kind, swapped) -> None:
    """The first sample follows from the equations of motion alone."""
    runs = [
        pl.dynamics(machine(kind, swapped=swapped), duration=1e-3, step=1e-3, reduce=reduce).signals
        for reduce in (True, False)
    ]
    for name, signal in runs[1].items():
        size = max(1.0, float(np.max(np.abs(signal.values[0]))))
        assert largest(runs[0][name].values[0], signal.values[0]) < 1e-10 * size, name


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "screw"])
def test_first_reactions_against_another_method(kind) -> None:
    """Reactions at the start from Newton-Euler equations in world axes (`references.newton_euler`)."""
    model = machine(kind)
    end = np.array([1.0, 0.5, -0.1])
    along = end - [1.5, 0, 1.0]
    pull = -40.0 * (1 - 0.6 / np.linalg.norm(along)) * along

    def applied(t, x, R, v, w):
        wrench = np.zeros((2, 6))
        wrench[1] = np.concatenate([pull, np.cross(end - x[1], pull)])
        return wrench

    mechanism = Mechanism(model, applied)
    _, joints, _ = mechanism.solve_balance(0.0, mechanism.start())
    result = pl.dynamics(model, duration=1e-3, step=1e-3)
    rows, multipliers = joints[0]
    force = -multipliers @ rows[:, 0:3]
    assert largest(result["support.force"].values[0], force) < 1e-10 * max(1.0, np.linalg.norm(force))


@pytest.mark.parametrize("kind", KINDS)
def test_statics(kind) -> None:
    compare(pl.statics(machine(kind)), pl.statics(machine(kind), reduce=False), 1e-9)


@pytest.mark.parametrize(
    ("kind", "coordinate"), [("revolute", "angle"), ("prismatic", "displacement"), ("screw", "angle")]
)
def test_kinematics(kind, coordinate) -> None:
    runs = []
    for reduce in (True, False):
        m = machine(kind)
        m.drive("motor", "support", **{coordinate: pl.Harmonic(0.5, 1.0)})
        runs.append(pl.kinematics(m, duration=1.0, step=0.05, reduce=reduce))
    compare(*runs, 1e-8)


@pytest.mark.parametrize("kind", ["revolute", "screw", "prismatic", "cylindrical"])
def test_driven(kind) -> None:
    """With a drive: its effort too."""
    runs = []
    for reduce in (True, False):
        m = machine(kind)
        coordinate = "displacement" if kind == "prismatic" else "angle"
        m.drive("motor", "support", **{coordinate: pl.Harmonic(0.5, 1.0)})
        runs.append(pl.dynamics(m, duration=0.5, step=2e-3, newton_tolerance=1e-12, reduce=reduce))
    compare(*runs, 1e-8)


@pytest.mark.parametrize("kind", ["revolute", "cylindrical", "spherical", "planar", "screw"])
def test_an_initial_motion_that_a_joint_forbids_starts_equally_in_all_coordinates_and_units(kind: str) -> None:
    """The start depends neither on `reduce` nor on the unit of length. A screw keeps the momentum along its motion."""
    energies = []
    for length in (1.0, 8.0):
        for reduce in (True, False):
            m = pl.Model("start")
            m.body("b", mass=3.0, inertia=(0.3 * length**2,) * 3, velocity=np.array((-0.1, 0.5, 0.2)) * length,
                   angular_velocity=(0.2, 0.3, 0.4))  # fmt: skip
            given = {"lead": 0.2 * length} if kind == "screw" else {}
            getattr(m, kind)(
                "j", m.ground, "b", at=(0.3 * length, 0, 0) if kind != "screw" else (0, 0, 0), axis="z", **given
            )
            run = pl.dynamics(m, duration=1e-3, step=1e-3, reduce=reduce)
            energies.append(run.signals["energy.kinetic"].values[0] / length**2)
    assert energies == pytest.approx([energies[0]] * 4, rel=1e-12)
    if kind == "screw":
        h = 0.2 / (2 * np.pi)
        rate = (3.0 * h * 0.2 + 0.3 * 0.4) / (3.0 * h**2 + 0.3)
        assert energies[0] == pytest.approx(0.5 * (3.0 * h**2 + 0.3) * rate**2, rel=1e-12)
