"""van der Linden (2012): planar elastic gears, epicyclic trains, Bode diagrams, a run-up."""

import math

import numpy as np
from references.gallery_runs import figures_of
from references.papers.entry import EQUATION, FIGURE, PARTLY, SECTION, Entry, Number, Paper

import pitchline as pl

__all__ = ["PAPER"]

TWO_PI = 2.0 * math.pi
COS = math.cos(math.radians(20))
"""Signals are on the base circle, deflections of the paper along the pitch circle."""


def _pair(internal: bool, stiffness: object = "1e8 N/m") -> pl.Result:
    """Two gears under load, at rest: a torque of 30 N m on the first gear, the second one held."""
    first = pl.Gear(teeth=20, normal_module="2 mm", face_width="10 mm")
    second = pl.Gear(
        teeth=50,
        normal_module="2 mm",
        face_width="10 mm",
        internal=internal,
        rim_diameter="120 mm" if internal else None,
    )
    m = pl.Model("pair", gravity=(0, 0, 0))
    a = m.gear_body("a", first, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", second, mesh_with=a, towards="x")
    m.gear_pair("mesh", a, b, mesh=pl.Elastic(stiffness, separating=False, along="hoop"))
    m.torque("load", m.revolute("in", m.ground, a), "30 N*m")
    m.drive("hold", m.revolute("out", m.ground, b), angle=0)
    return pl.statics(m)


def _balance(internal: bool) -> list[Number]:
    rest = _pair(internal)
    force = rest["mesh.tangential_force"].final
    bearing = rest["in.force"].final
    return [
        Number("tangential force for 30 N·m on a radius of 20 mm", "N", abs(float(force)), 1500.0),
        Number("bearing force along the line of centres", "N", abs(round(float(bearing[0]), 6)), 0.0),
        Number("bearing force across it", "N", abs(float(bearing[1])), 1500.0),
        Number("torque on the second gear", "N·m", abs(float(rest["hold.torque"].final)), 75.0),
    ]


def _figure(name: str, key: str) -> np.ndarray:
    return np.atleast_1d(np.asarray(figures_of(name)[key].value, dtype=float))


def _spur() -> list[Number]:
    return [
        Number("natural frequency", "Hz", float(_figure("planar-spur", "eigenfrequency")[0]), 0.225),
        Number("damping ratio", "", float(_figure("planar-spur", "damping_ratio")[0])),
    ]


def _epicyclic(name: str, peaks: int, dips: int) -> list[Number]:
    found = [Number("number of peaks", "", float(len(_figure(name, "peaks"))), float(peaks))]
    found.append(Number("number of dips", "", float(len(_figure(name, "dips"))), float(dips)))
    found += [Number(f"peak {i}", "Hz", float(w) / TWO_PI) for i, w in enumerate(_figure(name, "peaks"), 1)]
    found += [Number(f"dip {i}", "Hz", float(w) / TWO_PI) for i, w in enumerate(_figure(name, "dips"), 1)]
    return found


def _hidden() -> list[Number]:
    return [
        Number("frequency", "Hz", float(_figure("epicyclic", "hidden")[0]) / TWO_PI),
        Number("number of modes", "", float(_figure("epicyclic", "hidden.times")[0])),
    ]


def _series() -> list[Number]:
    """Deflection of two equal springs in series: twice that of one."""
    found = []
    for name, stiffness, paper in (
        ("one spring of 2e8 N/m", "2e8 N/m", 7.5),
        ("two in series", ("2e8 N/m", "2e8 N/m"), 15.0),
    ):
        rest = _pair(internal=False, stiffness=stiffness)
        found.append(
            Number(f"deflection under 1500 N, {name}", "µm", 1e6 * float(rest["mesh.approach"].final) / COS, paper)
        )
    return found


def _mesh_velocity() -> list[Number]:
    """Elastic teeth excited by an error over time."""
    gear = pl.Gear(teeth=25, normal_module="4 mm", face_width="30 mm")
    m = pl.Model("pair")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z")
    b = m.gear_body("b", gear, mesh_with=a, towards="x")
    m.drive("motor", m.revolute("in", m.ground, a), speed=10.0)
    m.torque("load", m.revolute("out", m.ground, b), 50.0)
    m.gear_pair("mesh", a, b, mesh=pl.Elastic("4e8 N/m", backlash=0, damping_ratio=0.1))
    run = pl.dynamics(m, duration="0.2 ms", step="2 us")
    v_a, v_b = 0.05 * run["in.angular_speed"].values, -0.05 * run["out.angular_speed"].values
    k = int(np.argmax(np.abs(v_a - v_b)))
    expected = float(v_a[k] - 0.5 * (v_a[k] - v_b[k]))
    return [
        Number("mesh velocity while the teeth deflect", "m/s", float(run["mesh.mesh_velocity"].values[k]), expected)
    ]


def _damping() -> list[Number]:
    """Multipliers of x'' + d(t) x' + x = 0: their product is that of the mean damping."""
    gear = pl.Gear(teeth=20, normal_module=0.1)
    m = pl.Model("pair")
    a = m.gear_body("a", gear, position=(0, 0, 0), axis="z", mass=1.0, inertia=(1.0,) * 3)
    b = m.gear_body("b", gear, mesh_with=a, mass=1.0, inertia=(1.0,) * 3)
    m.drive("motor", m.revolute("shaft", m.ground, a), speed=0.0)
    m.revolute("output", m.ground, b)
    d = pl.Varying(pl.Fourier("360 deg", 0.2, cos=[0.15], over="angle"))
    mesh = pl.Elastic(1.0, along="hoop", damping=d, damping_acts="always", backlash=0)
    m.gear_pair("mesh", a, b, mesh=mesh)
    found = pl.floquet(m, "shaft", [0.9 / 20])
    product = float(np.prod(found.multipliers[0, 0]).real)
    return [Number("product of the Floquet multipliers", "", product, math.exp(-0.2 * TWO_PI / 0.9))]


def _run_up() -> list[Number]:
    return [
        Number(f"{what}, d = {d} N·s/m", unit, float(_figure("run-up", key)[0]))
        for d, speed, ripple in (
            (0.1, "speed_at_maximum", "ripple.max"),
            (0.2, "speed_at_maximum.printed", "ripple.printed"),
        )
        for what, unit, key in (
            ("speed at the largest ripple", "rad/s", speed),
            ("largest ripple of the deformation", "%", ripple),
        )
    ]


PAPER = Paper(
    name="van_der_linden",
    title="van der Linden: elastic gears in a plane",
    cited="F. L. J. van der Linden, *Modelling of elastic gearboxes using a generalized gear contact model*, 9th "
    "International Modelica Conference, 2012.",
    about="The paper has one contact model for two gears in a plane, from which any planar or epicyclic train is built, "
    "with natural frequencies, Bode diagrams and a run-up. In pitchline it is the mesh `Elastic` in space, with "
    '`along="hoop"` and `separating=False`; the linear analyses are `modes` and `frequency_response`.',
    entries=(
        Entry("eq. 1", EQUATION, "Gear ratio from the radii.", "`GearPair.ratio`, from the numbers of teeth."),
        Entry(
            "eqs. 2–7",
            EQUATION,
            "Torques and forces of external gears: a tangential force at the pitch point.",
            '`Elastic(..., along="hoop", separating=False)`; the default adds the radial force of the pressure angle.',
            lambda: _balance(internal=False),
        ),
        Entry(
            "eqs. 8–13",
            EQUATION,
            "The same for an internal gear.",
            "`Gear(..., internal=True)`; the same mesh.",
            lambda: _balance(internal=True),
        ),
        Entry(
            "eqs. 14–16, 18–20",
            EQUATION,
            "Mesh distances of both gears and their difference, the elastic deflection.",
            "Signals `mesh.psi_a`, `mesh.psi_b` in the frame that follows the line of centres, and `mesh.approach`.",
        ),
        Entry(
            "eqs. 17, 21",
            EQUATION,
            "Mesh velocity, in the middle of the elastic deformation.",
            "Signal `mesh.mesh_velocity`.",
            _mesh_velocity,
        ),
        Entry(
            "eq. 22",
            EQUATION,
            "Spring and damper, both over the angle of the gears.",
            "`Elastic(stiffness, damping=...)`: a `Varying`, or dampers in series; `floquet` uses the variation.",
            _damping,
        ),
        Entry(
            "eqs. 23–32",
            EQUATION,
            "Stiffness of each gear as a Fourier series over its own revolution.",
            '`Elastic((Varying(Fourier(...), over="revolution of a"), Varying(..., over="revolution of b")))`.',
        ),
        Entry(
            "eq. 33",
            EQUATION,
            "Springs of both gears in series.",
            "`Elastic((stiffness_a, stiffness_b))`.",
            _series,
        ),
        Entry(
            "figs. 1–4",
            FIGURE,
            "Sketches of external and internal gears with their forces.",
            "[Signs of a mesh](../reference/gear_pairs.md) has the drawing of the signs of pitchline.",
        ),
        Entry(
            "figs. 5–9",
            FIGURE,
            "Icons and diagrams of the Modelica models.",
            "Model files `planar-spur` and `epicyclic` of the gallery; `model.plot()` draws them.",
            reproduced=PARTLY,
            why="The diagrams show a graphical editor. pitchline has no such editor.",
        ),
        Entry(
            "fig. 10",
            FIGURE,
            "Bode diagram of the spur pair: a peak at 0.225 Hz.",
            "Gallery entry `planar-spur`.",
            _spur,
        ),
        Entry(
            "fig. 11",
            FIGURE,
            "Bode diagram of the epicyclic train: two peaks and one dip.",
            "Gallery entry `epicyclic`.",
            lambda: _epicyclic("epicyclic", 2, 1),
            why="The figure prints no frequencies; the number of peaks and dips agrees.",
        ),
        Entry(
            "fig. 12",
            FIGURE,
            "One sun mesh is softer: one more peak and one more dip.",
            "Gallery entry `epicyclic-detuned`.",
            lambda: _epicyclic("epicyclic-detuned", 3, 2),
        ),
        Entry(
            "fig. 13",
            FIGURE,
            "Run-up of a pair with a stiffness ripple: the deformation is largest near the natural frequency.",
            "Gallery entry `run-up`, with the damping of the printed ratio (0.1 N·s/m) and the printed one (0.2 N·s/m).",
            _run_up,
            reproduced=PARTLY,
            why="The paper gives neither the duration of the run-up nor whether the motion or the torque of gear A is "
            "prescribed, "
            "and its damping ratio follows from d = 0.2 only without doubling. The curve is that of 500 s with "
            "prescribed motion.",
        ),
        Entry(
            "section 6.1.2",
            SECTION,
            "Planets with equal data hide modes.",
            "Gallery entry `epicyclic`: frequency and number of modes in which planets move against each other.",
            _hidden,
        ),
    ),
)
