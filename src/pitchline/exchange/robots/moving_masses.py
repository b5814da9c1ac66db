"""Check that every joint of a robot moves a mass: otherwise its acceleration is indeterminate."""

from __future__ import annotations

import numpy as np

from ...solids.rotations import Array
from .description import Robot
from .groups import LinkGroup
from .masses import inertia_about
from .robot_tree import LinkMotion

__all__ = ["check_moving_masses"]

LEAST = 1e-18
"""Inertia [kg*m^2] or mass [kg] that counts as none."""


def check_moving_masses(
    robot: Robot,
    groups: list[LinkGroup],
    of_link: dict[str, LinkGroup],
    motions: dict[str, LinkMotion],
    with_gearbox: set[str],
) -> None:
    """ExchangeError that names the first joint, in the order of the file, behind which there is no inertia about its axis."""
    sums: dict[int, tuple[float, Array, Array]] = {}
    problems: list[tuple[int, str]] = []
    for group in reversed(groups):
        mass, first, second = sums.get(id(group), (0.0, np.zeros(3), np.zeros((3, 3))))
        place = motions[group.top].place
        centre = place.point(group.centre)
        mass, first = mass + group.mass, first + group.mass * centre
        second = second + place.rotation @ group.inertia @ place.rotation.T + inertia_about(group.mass, centre)
        joint = group.joint
        if joint is None or group.on_world:
            continue
        above = of_link[joint.parent]
        old = sums.get(id(above), (0.0, np.zeros(3), np.zeros((3, 3))))
        sums[id(above)] = (old[0] + mass, old[1] + first, old[2] + second)
        anchor, axis = place.point(joint.anchor), place.rotation @ joint.axis
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
            links = ", ".join(f'"{name}"' for name in list(group.places)[:3])
            problems.append(
                (
                    joint.line,
                    f'joint "{joint.name}" ({joint.kind}) moves no {"mass" if joint.kind == "prismatic" else "inertia"}: link {links} '
                    "has none, nor have the links behind it. Specify the mass and inertia of the link in the file, or lock "
                    f'the joint: locked=["{joint.name}"]',
                )
            )
    if problems:
        line, text = min(problems)
        more = f" ({len(problems) - 1} more joints have the same problem)" if len(problems) > 1 else ""
        raise robot.error(line, text + more)
