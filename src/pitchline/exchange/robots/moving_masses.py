"""Check that every joint of a robot moves a mass: otherwise its acceleration is indeterminate."""

from __future__ import annotations

import numpy as np

from ...solids.rotations import Array
from .description import Robot
from .groups import LinkGroup
from .masses import inertia_about
from .robot_tree import LinkMotion

__all__ = ["check_moving_masses", "joints_without_mass"]

LEAST = 1e-18
"""Inertia [kg*m^2] or mass [kg] that counts as none."""


def joints_without_mass(
    groups: list[LinkGroup], of_link: dict[str, LinkGroup], motions: dict[str, LinkMotion], with_gearbox: set[str]
) -> list[LinkGroup]:
    """Groups of links whose joint moves no inertia about its axis."""
    sums: dict[int, tuple[float, Array, Array]] = {}
    found: list[LinkGroup] = []
    for group in reversed(groups):
        mass, first, second = sums.get(id(group), (0.0, np.zeros(3), np.zeros((3, 3))))
        place = motions[group.own].place
        centre = place.point(group.centre)
        mass, first = mass + group.mass, first + group.mass * centre
        second = second + place.rotation @ group.inertia @ place.rotation.T + inertia_about(group.mass, centre)
        joint = group.joint
        if joint is None or group.on_world:
            continue
        above = of_link[joint.parent]
        old = sums.get(id(above), (0.0, np.zeros(3), np.zeros((3, 3))))
        sums[id(above)] = (old[0] + mass, old[1] + first, old[2] + second)
        child = motions[joint.child].place
        anchor, axis = child.point(joint.anchor), child.rotation @ joint.axis
        about_anchor = (
            second - inertia_about(mass, first / mass) + inertia_about(mass, first / mass - anchor)
            if mass > 0.0
            else second
        )
        if joint.kind == "revolute":
            moved = float(axis @ about_anchor @ axis)
        elif joint.kind == "prismatic":
            moved = mass
        elif joint.kind == "spherical":
            moved = float(np.linalg.eigvalsh(about_anchor)[0])
        else:
            moved = mass
        if moved + joint.armature <= LEAST and joint.name not in with_gearbox:
            found.append(group)
    return found[::-1]


def check_moving_masses(robot: Robot, without: list[LinkGroup]) -> None:
    """ExchangeError that names the first of the joints without mass, in the order of the file."""
    if not without:
        return
    group = min(without, key=lambda one: one.joint.line if one.joint is not None else 0)
    joint = group.joint
    assert joint is not None
    names = list(group.places)
    links = ", ".join(f'"{name}"' for name in names[:3])
    more = f" {len(without) - 1} more joints have the same problem." if len(without) > 1 else ""
    raise robot.error(
        joint.line,
        f'joint "{joint.name}" ({joint.kind}) moves no {"mass" if joint.kind == "prismatic" else "inertia"}: '
        f"{'link' if len(names) == 1 else 'links'} {links} and what is behind have none.{more} Specify mass and inertia of it "
        f'in the file, or lock the joint: locked=["{joint.name}"]; locked=["massless"] locks all joints of this kind',
    )
