"""A planetary train: the sun drives, the ring is held, three planets turn the carrier.

Six meshes, each an ordinary pair: the mesh frame follows the centres of the wheels, so that a carrier that turns needs
nothing special. By Willis, with the tooth numbers z_s, z_p and z_r = z_s + 2 z_p,

    ω_s / ω_c = 1 + z_r / z_s ,   ω_p = ω_c − (ω_s − ω_c) z_s / z_p ,   T_c = T_s (1 + z_r/z_s) ,   T_r = T_s z_r/z_s .

By symmetry the planets share the load: F_t = T_s / (3 r_s) and F_n = F_t / cos α in all six meshes. Sun and ring push a
planet on with the same force, 2 F_t on its pin; their radial forces cancel, and what remains on the pin along the radius
is the centrifugal force m_p ω_c² a. Sun and carrier need no force from their bearings.
"""

import math
from typing import Any

import numpy as np

import pitchline as pl

from .figures import Figure, Run

__all__ = ["PLOT", "build", "figures", "run"]

TEETH_SUN, TEETH_PLANET, TEETH_RING = 24, 36, 96
_COMMON: dict[str, Any] = {"normal_module": "2 mm", "normal_pressure_angle": "20 deg", "face_width": "30 mm"}
SUN = pl.Gear(teeth=TEETH_SUN, bore="15 mm", **_COMMON)
PLANET = pl.Gear(teeth=TEETH_PLANET, bore="30 mm", **_COMMON)
# tips of the ring are shortened, or they would meet the fillets of the planets
RING = pl.Gear(teeth=TEETH_RING, internal=True, rim_diameter="230 mm", tip_alteration=-0.2, **_COMMON)
LOAD, SPEED = 500.0, 200.0
"""On the carrier [N m], of the sun [rad/s]."""
RUN_UP, DURATION = 0.1, 0.2
"""[s]"""
MESH = pl.Elastic("4e8 N/m", damping_ratio=0.1)
PLOT = ("sun_bearing.angular_speed", "carrier_bearing.angular_speed", "sun_*.normal_force", "pin_1.force", "motor.torque")


def build() -> pl.Model:
    """The train at rest, all axes along z; its motor runs up smoothly."""
    m = pl.Model("planetary")
    sun = m.gear_body("sun", SUN, position=(0, 0, 0), axis="z")
    ring = m.gear_body("ring", RING, position=(0, 0, 0), axis="z")
    carrier = m.body("carrier", solid=pl.cylinder("70 mm", "15 mm", density="7850 kg/m^3"), position=(0, 0, "-30 mm"))
    m.fixed("foundation", ring, m.ground, at=(0, 0, 0), axis="z")
    sun_bearing = m.revolute("sun_bearing", m.ground, sun)
    carrier_bearing = m.revolute("carrier_bearing", m.ground, carrier, at=(0, 0, 0), axis="z")
    for i in (1, 2, 3):
        angle = 2 * math.pi * (i - 1) / 3
        planet = m.gear_body(f"planet_{i}", PLANET, mesh_with=sun, towards=(math.cos(angle), math.sin(angle), 0))
        m.revolute(f"pin_{i}", carrier, planet, axis="z")
        m.gear_pair(f"sun_{i}", sun, planet, mesh=MESH)
        m.gear_pair(f"ring_{i}", planet, ring, mesh=MESH)
    m.drive("motor", sun_bearing, speed=pl.Ramp(0, SPEED, 0, RUN_UP))
    m.torque("load", carrier_bearing, -LOAD)
    return m


def run() -> Run:
    """Loaded at rest, then run up."""
    model = build()
    rest = pl.statics(model)
    return {"rest": rest, "run-up": pl.dynamics(model, duration=DURATION, start=rest, step="20 us", output_step="0.5 ms")}


def figures(run: Run) -> list[Figure]:
    """Ratios, torques and forces at constant speed."""
    result, model = run["run-up"], build()
    ratio = 1 + TEETH_RING / TEETH_SUN
    speed_c = SPEED / ratio
    torque = LOAD / ratio
    F_t = torque / (3 * 0.5 * SUN.reference_diameter)
    F_n = F_t / math.cos(SUN.normal_pressure_angle)
    sun, carrier = (float(result[f"{name}_bearing.angular_speed"].final) for name in ("sun", "carrier"))
    planet = float(result["planet_1.angular_velocity.z"].final)
    # radius and tangent of the pin, where the carrier has taken it
    outwards = np.asarray(result["planet_1.position"].final)
    arm = float(np.hypot(*outwards[:2]))
    outwards = np.array([*outwards[:2], 0.0]) / arm
    pin = np.asarray(result["pin_1.force"].final)
    meshes = [f"{wheel}_{i}" for wheel in ("sun", "ring") for i in (1, 2, 3)]
    forces = [abs(float(result[f"{mesh}.normal_force"].final)) for mesh in meshes]
    centrifugal = model.bodies["planet_1"].mass * speed_c**2 * arm
    idle = [float(np.linalg.norm(result[f"{name}_bearing.force"].final)) for name in ("sun", "carrier")]
    on_ring = float(result["foundation.moment.z"].final)
    return [
        Figure("ratio", sun / carrier, "", "speed of the sun over that of the carrier", ratio),
        Figure("planet.speed", planet, "rad/s", "speed of a planet", speed_c - (SPEED - speed_c) * TEETH_SUN / TEETH_PLANET),
        Figure("mesh.normal_force", forces, "N", "normal forces: sun with planets, planets with ring", [F_n] * 6),
        Figure("pin.tangential_force", float(-pin @ np.cross([0, 0, 1], outwards)), "N", "on a pin: tangential", 2 * F_t),
        Figure("pin.radial_force", float(-pin @ outwards), "N", "radial, outwards: centrifugal", centrifugal),
        Figure("pin.axial_force", float(-pin[2]), "N", "axial", 0.0),
        Figure("sun_bearing.force", idle[0], "N", "on the bearing of the sun", 0.0),
        Figure("carrier_bearing.force", idle[1], "N", "on the bearing of the carrier", 0.0),
        Figure("motor.torque", float(result["motor.torque"].final), "N*m", "torque of the motor", torque),
        Figure("ring.torque", on_ring, "N*m", "of the ring on the foundation", -torque * (ratio - 1)),
    ]
