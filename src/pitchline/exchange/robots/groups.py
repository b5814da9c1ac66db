"""Bodies of the model: links that are fixed to each other are one body."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...solids.rotations import Array
from ...solids.shape import Shape
from .description import WORLD, JointData, Robot
from .masses import add_masses
from .placement import IDENTITY, RobotPlacement
from .robot_tree import RobotTree

__all__ = ["LinkGroup", "link_groups"]


@dataclass
class LinkGroup:
    """Links that are fixed to each other.

    top:    first link
    own:    first link with mass, otherwise the first link: name and frame of the body are those of this link
    joint:  that connects the group to its parent; None for the world
    places: frame of each link in the frame of the body
    """

    top: str
    own: str
    joint: JointData | None
    places: dict[str, RobotPlacement] = field(default_factory=dict)
    mass: float = 0.0
    centre: Array = field(default_factory=lambda: np.zeros(3))
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))

    @property
    def on_world(self) -> bool:
        """Whether the group cannot move."""
        return self.joint is None or (self.joint.parent == WORLD and self.joint.kind == "fixed")

    def shapes(self, robot: Robot) -> list[Shape]:
        """Shapes of all links, in the frame of the body."""
        return [
            shape.turned(place.rotation).moved(place.position)
            for name, place in self.places.items()
            for shape in robot.links[name].shapes
        ]


def link_groups(tree: RobotTree) -> tuple[list[LinkGroup], dict[str, LinkGroup]]:
    """Groups from the world outwards, and the group of each link. The group of the world is not in the list."""
    robot = tree.robot
    world = LinkGroup(WORLD, WORLD, None)
    of_link = {WORLD: world}
    groups: list[LinkGroup] = []
    for joint in tree.order:
        parent = of_link[joint.parent]
        if joint.kind == "fixed" and joint.parent != WORLD:
            parent.places[joint.child] = parent.places[joint.parent] @ joint.placement
            of_link[joint.child] = parent
        else:
            group = LinkGroup(joint.child, joint.child, joint, {joint.child: IDENTITY})
            groups.append(group)
            of_link[joint.child] = group
    for group in groups:
        group.own = next((name for name in group.places if robot.links[name].mass > 0.0), group.top)
        back = group.places[group.own].inverse()
        group.places = {name: back @ place for name, place in group.places.items()}
        group.places[group.own] = IDENTITY
        links = [(robot.links[name], place) for name, place in group.places.items()]
        parts = [
            (link.mass, link.centre, link.inertia, place)
            for link, place in links
            if link.mass > 0.0 or link.inertia.any()
        ]
        group.mass, group.centre, group.inertia = add_masses(parts) if parts else (0.0, np.zeros(3), np.zeros((3, 3)))
    return groups, of_link
