"""Steps per second of a PID-controlled axis with backlash, on one core: two inertias on hinges, a controller on the motor.

The backlash is that of a gear pair with elastic teeth, or a law over signals (`deadband`). Variants without the controller or
without the coupling show the time of each part. With newton_tolerance = 0.1 most steps need one iteration: the controller and the
teeth are linear between the ends of the backlash. The time is that of the time loop, the best of several runs.
"""

from typing import Any

import pitchline as pl

STEP, DURATION = 1e-4, 5.0


def law_of(text: str) -> Any:
    """Law over signals."""
    return pl.expression(text)


def build(coupling: str, *, controlled: bool = True) -> pl.Model:
    """Motor and load. coupling: "gears", "law", "spring" (without backlash) or "none"."""
    m = pl.Model("controlled axis")
    if coupling == "gears":
        gear = pl.Gear(teeth=25, normal_module="2 mm", normal_pressure_angle="20 deg", face_width="15 mm")
        a = m.gear_body("motor", gear, position=(0, 0, 0), axis="z")
        b = m.gear_body("load", gear, mesh_with=a, towards="x")
        m.revolute("motor_axis", m.ground, a)
        m.revolute("load_axis", m.ground, b)
        m.gear_pair("teeth", a, b, mesh=pl.Elastic("1e7 N/m", damping_ratio=0.05, backlash="0.1 mm"))
    else:
        for name, inertia in (("motor", 0.002), ("load", 0.02)):
            m.revolute(f"{name}_axis", m.ground, m.body(name, mass=1, inertia=(1, 1, inertia)), axis="z")
    if coupling == "spring":
        m.bushing("shaft", "motor", "load", axis="z", stiffness=(0, 0, 0, 0, 0, 500), damping=(0, 0, 0, 0, 0, 0.2))
    elif coupling == "law":
        law = "500*deadband(motor_axis.angle - load_axis.angle, 0.005) + 0.2*(motor_axis.speed - load_axis.speed)"
        m.add(pl.NamedSignal("shaft", source=pl.expression(law)))
        m.torque("on motor", "motor_axis", law_of("-shaft.value"))
        m.torque("on load", "load_axis", law_of("shaft.value"))
    target = pl.Harmonic(amplitude=0.5, frequency="1 Hz")
    if not controlled:
        m.torque("motor torque", "motor_axis", target)
        return m
    m.add(
        pl.PID(
            "pid",
            setpoint=target,
            measured=pl.expression("motor_axis.angle"),
            measured_rate=pl.expression("motor_axis.speed"),
            proportional=20,
            integral=50,
            derivative=0.3,
            lower=-30,
            upper=30,
        )
    )
    m.torque("motor torque", "motor_axis", law_of("pid.output"))
    return m


def bench(repeats: int) -> None:
    """Print a table."""
    print(f"\nPID-controlled axis, two inertias, h = {STEP * 1e3:g} ms, {DURATION:g} s")
    header = f"{'coupling':<10}{'PID':>5}{'unknowns':>10}{'iter/step':>11}{'steps/s':>12}{'tolerance 0.1':>15}{'steps/s':>12}"
    print(header)
    print("-" * len(header))
    for coupling in ("gears", "law", "spring", "none"):
        for controlled in (True, False):
            model = build(coupling, controlled=controlled)
            tight, loose = _best(model, repeats, None), _best(model, repeats, 0.1)
            print(
                f"{coupling:<10}{'yes' if controlled else 'no':>5}{tight['unknowns']:>10}"
                + "".join(
                    f"{s['iterations'] / s['steps']:>{w}.2f}{_speed(s):>12.3g}" for s, w in ((tight, 11), (loose, 15))
                )
            )


def _best(model: pl.Model, repeats: int, tolerance: float | None) -> dict[str, Any]:
    """Statistics of the fastest run; the first one loads the machine code."""
    given: dict[str, Any] = {"duration": DURATION, "step": STEP, "output_step": 0.01, "newton_tolerance": tolerance}
    runs = [pl.dynamics(model, **given).statistics for _ in range(repeats + 1)]
    return max(runs[1:], key=_speed)


def _speed(statistics: dict[str, Any]) -> float:
    return float(statistics["steps"] / statistics["wall_time"])


if __name__ == "__main__":
    bench(5)
