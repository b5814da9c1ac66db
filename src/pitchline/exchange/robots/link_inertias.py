"""Inertias of links that no rigid body can have: notes for the report, and errors if a body of the model would have one."""

from __future__ import annotations

from ...solids.rotations import Array
from .description import LinkData, Robot
from .groups import LinkGroup
from .masses import is_real, moments_text, negative_moment, without_rounding

__all__ = ["check_inertias", "note_inertia"]


def note_inertia(robot: Robot, link: LinkData, tensor: Array, line: int) -> None:
    """List an unusual inertia in the report. It may be one of several links that are fixed to each other."""
    where = f'link "{link.name}" (line {line})'
    link.inertia_line = line
    if link.mass == 0.0 and tensor.any():
        robot.report.add("assumed", f"{where}: has an inertia but the mass 0. Both are used as specified")
    if negative_moment(tensor):
        robot.report.add(
            "assumed", f"{where}: the inertia is not positive definite, {moments_text(tensor)}. It is used as specified"
        )
    elif not is_real(tensor):
        robot.report.add(
            "assumed",
            f"{where}: no rigid body has the principal moments {moments_text(tensor)}, because one exceeds the sum of the others. "
            "They are used as specified",
        )


def check_inertias(robot: Robot, groups: list[LinkGroup]) -> None:
    """Refuse bodies with a negative principal moment; remove rounding."""
    for group in groups:
        if negative_moment(group.inertia):
            names = [name for name in group.places if negative_moment(robot.links[name].inertia)] or [group.top]
            link = robot.links[names[0]]
            raise robot.error(
                link.inertia_line or link.line,
                f'link "{link.name}": the inertia is not positive definite: the principal moments are '
                f"{moments_text(group.inertia)}. Check the signs of the products of inertia",
            )
        group.inertia = without_rounding(group.inertia)
