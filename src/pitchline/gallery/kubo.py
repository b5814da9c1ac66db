"""Kubo's gear rig: two spur wheels at 12000 rpm whose teeth have an error (A. Cardona, 1997, section 7.3).

A motor turns disk 1 at 400π rad/s; shaft 1 turns wheel A; wheel B turns shaft 2 and disk 2 against the torque T_2. The
wheels have 25 teeth each, so that the error of the teeth, X (1 − cos z ψ_A), shakes them at 5000 Hz:

    disk 1 – k_t1, c_t1 – wheel A – k_m, c_m, X, b – wheel B – k_t2, c_t2 – disk 2

Cases A and C have hinged wheels, B and D wheels on elastic supports, full bodies in space; C and D have backlash b. Mesh
stiffness, error and backlash are in the hoop direction, c_m = 2 ζ sqrt(k_m m_e) acts always. The paper's element measures the
approach of the teeth along the hoop alone, however the centres move: `follow_centres=False`. Units are those of the paper
(inch, pound-force, second); forces are given in lbf.

Closed forms: the mean of the normal force is T_2 / (r cos α) = 511.302686 lbf in every case. With contact on both flanks
(A, B) the model is linear, but for the torque f dx/dψ of the error and the turning of the mesh on elastic supports, which
are small: the amplitude of the normal force at 5000 Hz is then 5939.18 lbf (A) and 8359.48 lbf (B), `linear_amplitude`.
With backlash (C, D) there is no closed form.

As in the paper, three analyses follow from each other: statics under the torque, kinematics to the speed, dynamics. In the
first two the error counts with its mean, X, as they leave out the inertia that keeps the wheels from following it. The last
is cut in two: until the torsional vibrations of the start have died away, and the 40 mesh periods that are looked at.
"""

import math
from typing import Any

import numpy as np

import pitchline as pl
from pitchline.units import quantity

from .figures import Figure, Run

__all__ = ["CASES", "PLOT", "build", "figures", "linear_amplitude", "plot_options", "run"]

CASES = {"a": (False, False), "b": (True, False), "c": (False, True), "d": (True, True)}
"""Elastic supports, backlash."""

TEETH, DIAMETER, ALPHA = 25, 3.937, math.radians(20)
"""Pitch diameter [in]."""
INERTIA, MASS, INERTIA_1, INERTIA_2 = 0.0102, 5.36e-3, 0.051, 0.0102
"""Of a wheel [lbf in s²], [lbf s²/in]; of the disks [lbf in s²]."""
K_M, ZETA, ERROR, BACKLASH = 1.477e7, 0.1, 0.003937, 0.001968
"""[lbf/in], -, [in], [in]"""
K_T1, C_T1, K_T2, C_T2 = 1.7e4, 0.076026, 3e4, 0.12369
"""[lbf in/rad], [lbf in s/rad]"""
K_S, C_S = 1.477e7, 50.0
"""Of a support, in x and y [lbf/in], [lbf s/in]."""
SPEED, TORQUE = 400 * math.pi, 945.8
"""Of disk 1 [rad/s], on disk 2 [lbf in]."""
PERIOD = 2 * math.pi / (SPEED * TEETH)
"""Of the mesh [s]: 200 us."""

RUN_UP = 10e-3
"""Duration of the kinematics [s]."""
SETTLING = {False: 2.0, True: 0.6}
"""Duration of the dynamics before the record [s], on rigid and on elastic supports, which damp the slow vibrations too."""
PERIODS, SAMPLES = 40, 8001
"""Of the record; no two of the samples fall on the same place in the mesh cycle, so that no peak is missed."""
STEP = PERIODS * PERIOD / SAMPLES
"""[s]; 1 us."""
PLOT = ("mesh.signed_force", "support_a.force.x", "support_a.force.y", "mesh.contact")


def build(case: str = "a", *, mean_error: bool = False, out_of_plane: float = 1.0) -> pl.Model:
    """The rig of a case at rest: wheel B above wheel A, all axes along z.

    mean_error: the mean of the error in place of the error itself. out_of_plane: factor of the stiffness and damping of
    elastic supports along z and against tilts, which does not matter.
    """
    elastic, backlash = CASES[case]
    m = pl.Model(f"kubo-{case}")
    gear = pl.Gear(teeth=TEETH, normal_module=f"{DIAMETER / TEETH} in", normal_pressure_angle=ALPHA)
    wheel: dict[str, Any] = {"mass": f"{MASS} lbf*s^2/in", "inertia": _about_z(INERTIA)}
    a = m.gear_body("wheel_a", gear, position=(0, 0, 0), axis="z", **wheel)
    b = m.gear_body("wheel_b", gear, mesh_with=a, towards=(0, 1, 0), **wheel)
    disks = [
        m.body(f"disk_{i}", mass="0.1 lbf*s^2/in", inertia=_about_z(inertia), position=beside.position + _inches(0, 0, z))
        for i, inertia, beside, z in ((1, INERTIA_1, a, -5.0), (2, INERTIA_2, b, 5.0))
    ]
    axles = [m.revolute(f"axle_{i}", m.ground, disk, axis="z") for i, disk in enumerate(disks, 1)]
    for i, disk, one, k, c in ((1, disks[0], a, K_T1, C_T1), (2, disks[1], b, K_T2, C_T2)):
        m.bushing(
            f"shaft_{i}", disk, one, axis="z",
            stiffness=(0, 0, 0, 0, 0, f"{k} lbf*in/rad"), damping=(0, 0, 0, 0, 0, f"{c} lbf*in*s/rad"),
        )  # fmt: skip
    for name, one in (("support_a", a), ("support_b", b)):
        if elastic:
            _support(m, name, one, out_of_plane)
        else:
            m.revolute(name, m.ground, one, axis="z")
    m.gear_pair("mesh", a, b, mesh=_mesh(backlash, mean_error))
    m.drive("motor", axles[0], speed=pl.Ramp(0, SPEED, 0, RUN_UP))
    m.torque("load", axles[1], f"{TORQUE} lbf*in")
    return m


def _mesh(backlash: bool, mean_error: bool) -> pl.Elastic:
    waves = [] if mean_error else [f"{-ERROR} in"]
    error = pl.Varying(pl.Fourier("360 deg", f"{ERROR} in", cos=waves, over="angle"))
    return pl.Elastic(
        f"{K_M} lbf/in", along="hoop", damping_ratio=ZETA, damping_acts="always", error=error,
        backlash=f"{BACKLASH} in" if backlash else 0, backlash_side="drive", follow_centres=False,
    )  # fmt: skip


def _support(m: pl.Model, name: str, wheel: pl.Body, out_of_plane: float) -> None:
    """Springs in x and y; along z and against tilts as stiff, over the pitch radius, times `out_of_plane`.

    What acts on a spur wheel lies in its plane, so that nothing moves along z or tilts, whatever holds it there.
    """
    radius = 0.5 * DIAMETER
    k, c = out_of_plane * K_S, out_of_plane * C_S
    tilt_k, tilt_c = f"{k * radius**2} lbf*in/rad", f"{c * radius**2} lbf*in*s/rad"
    m.bushing(
        name, m.ground, wheel, axis="z",
        stiffness=(f"{K_S} lbf/in", f"{K_S} lbf/in", f"{k} lbf/in", tilt_k, tilt_k, 0),
        damping=(f"{C_S} lbf*s/in", f"{C_S} lbf*s/in", f"{c} lbf*s/in", tilt_c, tilt_c, 0),
    )  # fmt: skip


def _about_z(inertia: float) -> tuple[str, str, str]:
    """A thin disk: half of it about the other axes."""
    half = f"{0.5 * inertia} lbf*in*s^2"
    return half, half, f"{inertia} lbf*in*s^2"


def _inches(x: float, y: float, z: float) -> np.ndarray:
    return 0.0254 * np.array([x, y, z])


def run(case: str = "a") -> Run:
    """Statics, kinematics, dynamics, each from the end of the one before."""
    model, smooth = build(case), build(case, mean_error=True)
    loaded = pl.statics(smooth)
    spun = pl.kinematics(smooth, duration=RUN_UP, start=loaded)
    settled = pl.dynamics(model, duration=SETTLING[CASES[case][0]], start=spun, step=STEP, hht=-0.05)
    record = pl.dynamics(model, duration=PERIODS * PERIOD, start=settled, step=STEP, output_step=STEP, hht=-0.05)
    return {"loaded": loaded, "spun": spun, "settled": settled, "record": record}


def plot_options(run: Run) -> dict[str, Any]:
    """Six mesh periods are enough to see."""
    start = float(run["record"].time[0])
    return {"start": start, "end": start + 6 * PERIOD}


def linear_amplitude(case: str) -> tuple[float, float]:
    """Amplitudes at the mesh frequency of the normal force and of the horizontal reaction [lbf], two-sided contact.

    The hoop force f = k_m (u + x) + c_m u' with u = r (ψ_A + ψ_B) + (support displacements) and x = X e^{iωt}, small
    motions about the steady run, disk 1 at constant speed:

        (−ω² M + iω C + K) q = −g k_m X ,    f = (k_m + iω c_m) gᵀq + k_m X .

    q = (θ_A, θ_B, θ_2), with the horizontal displacements of the wheels in case B; g = du/dq.
    """
    elastic, _ = CASES[case]
    r, w = 0.5 * DIAMETER, SPEED * TEETH
    effective = 1 / (2 * r**2 / INERTIA)
    c_m = 2 * ZETA * math.sqrt(K_M * effective)
    M = np.diag([INERTIA, INERTIA, INERTIA_2] + [MASS, MASS] * elastic)
    K = np.diag([K_T1, K_T2, K_T2] + [K_S, K_S] * elastic)
    C = np.diag([C_T1, C_T2, C_T2] + [C_S, C_S] * elastic)
    K[1, 2] = K[2, 1] = -K_T2
    C[1, 2] = C[2, 1] = -C_T2
    g = np.array([r, r, 0.0] + [-1.0, 1.0] * elastic)
    dynamic = -w * w * M + 1j * w * C + K + (K_M + 1j * w * c_m) * np.outer(g, g)
    q = np.linalg.solve(dynamic, -g * K_M * ERROR)
    f = (K_M + 1j * w * c_m) * (g @ q) + K_M * ERROR
    horizontal = (K_S + 1j * w * C_S) * q[3] if elastic else f
    return abs(f) / math.cos(ALPHA), abs(horizontal)


def figures(run: Run, case: str = "a") -> list[Figure]:
    """The normal force and what wheel A does to its support, over the record."""
    record = run["record"]
    lbf = quantity("1 lbf", "force", what="pound-force")
    # 40 whole periods: the last sample is the first of the next one
    force = record["mesh.signed_force"].values[:-1] / lbf  # both flanks bear in turn
    x, y = (-record["support_a.force"].values[:-1, i] / lbf for i in (0, 1))
    time = record.time[:-1]
    amplitude = 2 * abs(np.mean(force * np.exp(-2j * np.pi * time / PERIOD)))
    mean = TORQUE / (0.5 * DIAMETER * math.cos(ALPHA))
    linear = None if CASES[case][1] else linear_amplitude(case)[0]
    return [
        Figure("mesh.normal_force.mean", float(np.mean(force)), "lbf", "normal force, mean", mean),
        Figure("mesh.normal_force.peak_to_peak", float(np.ptp(force)), "lbf", "peak to peak"),
        Figure("mesh.normal_force.amplitude_at_mesh_frequency", float(amplitude), "lbf", "amplitude at 5 kHz", linear),
        Figure("mesh.normal_force.min", float(np.min(force)), "lbf", "smallest"),
        Figure("mesh.normal_force.max", float(np.max(force)), "lbf", "largest"),
        Figure("support_a.horizontal.peak_to_peak", float(np.ptp(x)), "lbf", "wheel A on its support: horizontal"),
        Figure("support_a.vertical.min", float(np.min(y)), "lbf", "vertical, smallest (down)"),
        Figure("support_a.vertical.max", float(np.max(y)), "lbf", "vertical, largest (up)"),
    ]
