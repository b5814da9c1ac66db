"""Friction torque and power of rolling bearings by the catalogue method."""

from __future__ import annotations

import math

import numpy as np

from pitchline.errors import ModelError
from pitchline.results.interactions import BEARING, Record, supports
from pitchline.results.tables_results import ResultTable, TableColumn, TableRow, statistics_of, table_of
from pitchline.units.quantity import quantity

from ..bearings.design import BearingDesign
from ..bearings.life import BearingFriction, friction_torque, static_load
from ..bearings.mounting import mounted_as_described

__all__ = ["bearing_friction"]

_COLUMNS = (
    TableColumn("torque", "friction torque", "N*m", "N*mm"),
    TableColumn("viscous", "of the lubricant", "N*m", "N*mm"),
    TableColumn("load", "of the load", "N*m", "N*mm"),
    TableColumn("power", "power", "W"),
    TableColumn("speed", "speed", "rad/s", "rpm"),
)
TOTAL = "total"


def bearing_friction(record: Record, viscosity: object, lubrication: str) -> ResultTable:
    """Compute the friction by Palmgren's method from the loads and speeds of a result. It does not act on the motion."""
    nu = quantity(viscosity, "kinematic viscosity", what="viscosity")
    elements = record.model.get("elements", {})
    rows, total = [], np.zeros(record.count)
    for part in supports(record):
        said = elements.get(part.name, {})
        if said.get("key") != BEARING:
            continue
        assert part.frame is not None
        design = mounted_as_described(said["parameters"]).design
        force = np.einsum("nij,ni->nj", part.frame.axes, part.force)
        speed = np.einsum("ni,ni->n", record.spin(part.body_b) - record.spin(part.body_a), part.frame.axis)
        mean = 0.5 * (design.bore + design.outer) if design.bore and design.outer else design.pitch
        try:
            found = [
                _friction(design, radial, axial, n, mean, nu, lubrication)
                for radial, axial, n in zip(np.hypot(force[:, 0], force[:, 1]), force[:, 2], speed, strict=True)
            ]
        except ModelError as error:
            raise ModelError(f'bearing "{part.name}": {error}') from None
        viscous, load = (np.array([getattr(one, key) for one in found]) for key in ("viscous", "load"))
        power = (viscous + load) * np.abs(speed)
        total = total + power
        values = {"torque": viscous + load, "viscous": viscous, "load": load, "power": power, "speed": speed}
        rows.append(TableRow(part.name, part.words, statistics_of(values, record.time)))
    if np.any(total):
        rows.append(TableRow(TOTAL, "", statistics_of({"power": total}, record.time)))
    notes = [
        f"Palmgren's method, {lubrication}, {nu * 1e6:.4g} mm^2/s, without seals; the accuracy is about one third."
    ]
    return table_of("Friction of bearings", _COLUMNS, rows, notes)


def _friction(
    design: BearingDesign, radial: float, axial: float, speed: float, mean: float, viscosity: float, lubrication: str
) -> BearingFriction:
    angle, rating = design.contact_angle, design.whole_static_rating
    whole = friction_torque(
        type(design).__name__,
        radial,
        axial,
        speed,
        mean_diameter=mean,
        viscosity=viscosity,
        lubrication=lubrication,
        contact_angle=angle,
        static_rating=math.nan if rating is None else rating,
        static_load=static_load(radial, axial, rolling=design.rolling, contact_angle=angle, rows=design.factor_rows),
    )
    return whole._replace(viscous=2.0 * whole.viscous) if design.is_pair else whole  # the lubricant of both bearings
