"""Deflections, slopes, moments and stresses of shafts at their stations."""

from __future__ import annotations

from .record import Record
from .result_table import ResultTable, TableColumn, TableRow, statistics_of, table_of
from .shaft_line import is_cut_node, node_quantities, shaft_parts

__all__ = ["COLUMNS", "shaft_deflections"]

COLUMNS = (
    TableColumn("place", "z", "m", "mm"),
    TableColumn("deflection", "deflection", "m", "um"),
    TableColumn("deflection_x", "u_x", "m", "um", detail=True),
    TableColumn("deflection_y", "u_y", "m", "um", detail=True),
    TableColumn("axial_displacement", "u_z", "m", "um"),
    TableColumn("slope", "slope", "rad", "mrad"),
    TableColumn("bending_moment", "bending", "N*m"),
    TableColumn("torque", "torque", "N*m"),
    TableColumn("axial_force", "axial", "N", detail=True),
    TableColumn("bending_stress", "bending stress", "Pa", "MPa"),
    TableColumn("stress", "von Mises", "Pa", "MPa"),
)


def shaft_deflections(record: Record) -> ResultTable:
    """One row for each station of each shaft, named as its body: "input left"."""
    rows = []
    for name in record.model.get("shafts", {}):
        shaft = shaft_parts(record.model, name)
        for (body, station, z), quantities in zip(shaft.nodes, node_quantities(record, shaft), strict=True):
            if not is_cut_node(station):
                values = statistics_of(quantities, record.time)
                for statistic in values.values():
                    statistic["place"] = z
                rows.append(TableRow(body, "", values))
    notes = [
        "Displacements from where the shaft stands at rest, in its axes at rest; slope: tilt of the section. Moments and "
        "stresses on the more loaded side of the station; bending stress with its notch factor."
    ]
    return table_of("Shafts", COLUMNS, rows, notes)
