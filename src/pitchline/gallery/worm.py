"""A worm gear with friction: how much of the power arrives, either way, and a worm that cannot be driven back.

With the lead angle γ of the worm, the normal pressure angle α and the coefficient of friction μ, at constant speed

    the worm drives:   η  = (cos α − μ tan γ) / (cos α + μ cot γ) ,
    the wheel drives:  η' = (cos α − μ cot γ) / (cos α + μ tan γ) ,

and the worm locks itself, η' <= 0, from μ = cos α tan γ on. The first worm (two starts, tan γ = 0.1, μ = 0.05) runs both
ways. The second (one start, γ = 3°, α = 14.5°, μ = 0.1) does not: both are set in motion, without a motor, by a torque T
on the wheel. The first gains speed, the second comes to rest under load. With r and I of worm (1) and wheel (2),
i = z_2/z_1,

    F r_2 (cos α cos γ + μ sin γ) = T − I_2 ω_2' ,    F r_1 (cos α sin γ − μ cos γ) = I_1 ω_1' ,    ω_1' = i ω_2' .
"""

import math
from dataclasses import dataclass
from typing import Any

import pitchline as pl

from .figures import Figure, Run

__all__ = ["LOCKING", "PLOT", "RUNNING", "WormData", "build", "figures", "run"]

SPEED, TORQUE = 150.0, 100.0
"""Of the worm [rad/s]; on the wheel [N m]."""
START, DURATION = 100.0, 0.2
"""Speed of a worm that is left alone [rad/s], and for how long [s]."""
PLOT = ("bearing_a.angular_speed", "mesh.sliding_speed", "mesh.friction_loss")


@dataclass(frozen=True)
class WormData:
    """What decides about efficiency and locking; angles in rad."""

    starts: int
    lead_angle: float
    alpha: float
    mu: float
    teeth: int = 40

    @property
    def worm(self) -> pl.Gear:
        """The worm, right-hand."""
        return pl.Gear(
            starts=self.starts, normal_module="4 mm", normal_pressure_angle=self.alpha, lead_angle=self.lead_angle,
            face_width="100 mm",
        )  # fmt: skip

    @property
    def wheel(self) -> pl.Gear:
        """Its wheel at right angles."""
        return pl.Gear(
            teeth=self.teeth, normal_module="4 mm", normal_pressure_angle=self.alpha, helix_angle=self.lead_angle,
            face_width="30 mm", bore="30 mm",
        )  # fmt: skip

    @property
    def ratio(self) -> float:
        """z_2 / z_1."""
        return self.teeth / self.starts

    def efficiency(self, *, worm_drives: bool) -> float:
        """The closed form; negative: locked."""
        c, t = math.cos(self.alpha), math.tan(self.lead_angle)
        on, back = (self.mu * t, self.mu / t) if worm_drives else (self.mu / t, self.mu * t)
        return (c - on) / (c + back)

    @property
    def locks(self) -> bool:
        """μ >= cos α tan γ."""
        return self.mu >= math.cos(self.alpha) * math.tan(self.lead_angle)

    def acceleration(self) -> float:
        """ω_1' [rad/s²] of the free worm under the torque on the wheel, while it turns that way."""
        c, s = math.cos(self.lead_angle), math.sin(self.lead_angle)
        on_wheel = 0.5 * self.wheel.reference_diameter * (math.cos(self.alpha) * c + self.mu * s)
        on_worm = 0.5 * self.worm.reference_diameter * (math.cos(self.alpha) * s - self.mu * c)
        I_1, I_2 = (float(gear.blank.inertia[2]) for gear in (self.worm, self.wheel))
        return self.ratio * TORQUE / (I_2 + I_1 * self.ratio * on_wheel / on_worm)


RUNNING = WormData(starts=2, lead_angle=math.atan(0.1), alpha=math.radians(20), mu=0.05)
LOCKING = WormData(starts=1, lead_angle=math.radians(3), alpha=math.radians(14.5), mu=0.1)


def build(data: WormData = RUNNING, *, driver: str = "worm") -> pl.Model:
    """The gear with a motor on the "worm" or the "wheel" and a load on the other; driver "none": the wheel is pushed."""
    m = pl.Model("worm")
    ratio = pl.GearPair(data.worm, data.wheel).speed_ratio
    start = START if driver == "none" else SPEED
    a = m.gear_body("worm", data.worm, position=(0, 0, 0), axis="z", angular_velocity=(0, 0, start))
    b = m.gear_body("wheel", data.wheel, mesh_with=a, towards=(1, 0, 0))
    bearing_a, bearing_b = m.revolute("bearing_a", m.ground, a), m.revolute("bearing_b", m.ground, b)
    # against a sliding speed of metres per second the rounded corner of the friction law is far away
    corner = "1 mm/s" if driver == "none" else "10 um/s"
    m.gear_pair("mesh", a, b, mesh=pl.Rigid(friction=data.mu, friction_speed=corner))
    if driver == "worm":
        m.drive("motor", bearing_a, speed=SPEED)
        m.torque("load", bearing_b, -math.copysign(TORQUE, ratio))
    elif driver == "wheel":
        m.drive("motor", bearing_b, speed=SPEED * ratio)
        m.torque("load", bearing_a, -TORQUE / data.ratio)
    else:
        m.torque("load", bearing_b, math.copysign(TORQUE, ratio))
    return m


def run() -> Run:
    """Driven by the worm, driven by the wheel, and both worms left to a torque on their wheels."""
    steady: dict[str, Any] = {"duration": "50 ms", "step": "1 ms"}
    free: dict[str, Any] = {"duration": DURATION, "output_step": "1 ms"}
    return {
        "worm drives": pl.dynamics(build(), **steady),
        "wheel drives": pl.dynamics(build(driver="wheel"), **steady),
        "running worm left alone": pl.dynamics(build(driver="none"), **free),
        "locking worm left alone": pl.dynamics(build(LOCKING, driver="none"), **free),
    }


def figures(run: Run) -> list[Figure]:
    """Efficiencies from torques and speeds; locking from what the free worms do."""
    worm, wheel = run["worm drives"], run["wheel drives"]
    running, locking = run["running worm left alone"], run["locking worm left alone"]
    out = float(worm["load.torque"].final) * float(worm["bearing_b.angular_speed"].final)
    back = float(wheel["load.torque"].final) * float(wheel["bearing_a.angular_speed"].final)
    loss = float(worm["mesh.friction_loss"].final)
    power = float(worm["motor.power"].final)
    closed = RUNNING.efficiency(worm_drives=True)
    return [
        Figure("efficiency.driving", -out / power, "", "power out over power in, the worm drives", closed, 9),
        Figure(
            "efficiency.backdriving", -back / float(wheel["motor.power"].final), "", "the same, the wheel drives",
            RUNNING.efficiency(worm_drives=False), 9,
        ),
        Figure("mesh.friction_loss", loss, "W", "power lost in the teeth, the worm drives", power * (1 - closed), 9),
        Figure("ratio", _ratio(worm), "", "ratio of the speeds, z_2/z_1", RUNNING.ratio),
        Figure("self_locking", _stops(locking), "", "the second worm comes to rest under load", LOCKING.locks),
        Figure("self_locking.running_worm", _stops(running), "", "and the first", RUNNING.locks),
        Figure("free.acceleration", _slope(running), "rad/s^2", "of the first worm left alone", RUNNING.acceleration()),
        Figure("locking.acceleration", _slope(locking), "rad/s^2", "of the second, until it stops", LOCKING.acceleration()),
    ]  # fmt: skip


def _ratio(result: pl.Result) -> float:
    return abs(float(result["bearing_a.angular_speed"].final) / float(result["bearing_b.angular_speed"].final))


def _stops(result: pl.Result) -> bool:
    """Whether the worm has come to rest: what remains creeps in the corner of the friction law."""
    return abs(float(result["bearing_a.angular_speed"].final)) < 1e-3 * START


def _slope(result: pl.Result) -> float:
    """Mean acceleration of the worm over the first quarter of the run, before any stop [rad/s²]."""
    speed, until = result["bearing_a.angular_speed"], 0.25 * DURATION
    return (float(speed.at(until)) - float(speed.initial)) / until
