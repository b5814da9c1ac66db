"""Records of two gears whose flank nodes touch the flank surfaces of the other gear: parameters and scratch.

A flank is a lattice of nodes, the corners of bilinear faces. Points of a tooth are described in the axes of that tooth: those of
the gear, turned by the tooth. Nodes of both flanks of tooth 0 are stored one after the other, left before right.
"""

from typing import Any

import numpy as np

from pitchline.numerics.fields import INTEGER, MATRIX, NUMBER, VECTOR, behind, elsewhere, embedded, fields, inline

from ..meshes.kernel_flank_records import SLOTS, ElasticGearData

ENTRY = 6
"""Integers of a node near contact: gear of the node (0: A, 1: B), side, tooth of A, node, row and line of the opposite face."""
FOUND = 11
"""Numbers of a projection: gap, normal (3), reference coordinates (2), point (3), row and line of the face."""
NEAR_NODE = 7
"""Numbers of a node near contact: gear of the node, tooth of A, node, row and line of the opposite face, coordinates in it."""
LANES = 4
"""Rows of shapes are filled up to a multiple of this number of coordinates, so that sums are made of so many parts."""

NodeGear = fields(
    "Node gear",
    data=embedded(ElasticGearData),  # rows and lines of the lattice, frequencies
    nodes=INTEGER,  # of a flank
    both=INTEGER,  # of both flanks
    points=behind("both", 3),  # [m]
    outward=inline(2),  # sign of row x line of the flanks
    origin=VECTOR,  # of the axes of the gear in space
    rotation=MATRIX,  # axes of the gear at q = 0
    sense=NUMBER,  # rotation about its z axis per q
    coordinates=INTEGER,  # modes + paired
    padded=INTEGER,  # the same, filled up
    shape_rows=INTEGER,
    shapes=behind("shape_rows", "padded"),  # displacement of node i, component c in row 3 i + c [1/sqrt(kg)]
    # finite elements instead of modes: displacements and forces of all unknowns (rows) in all sectors (columns)
    unknowns=INTEGER,
    width=INTEGER,
    u=elsewhere("unknowns", "width"),
    f=elsewhere("unknowns", "width"),
    places=behind("both", of="integer"),  # first unknown of each node
    # scratch
    stamp=behind("both"),
    displacement=behind("both", 3),
    force=behind("both", 3),
    moving=behind("padded"),  # coordinates as they are at the present tooth
    pull=behind("padded"),  # forces on them
)
NodeSide = fields(
    "Node side",  # flanks that touch while A drives in one direction
    side_a=INTEGER,
    side_b=INTEGER,
    tooth_b=INTEGER,  # that meets tooth 0 of A
    more=NUMBER,  # rotation of the flanks of B for more or less play [rad]
)
NodeContact = fields(
    "Node contact",
    a=embedded(NodeGear),
    b=embedded(NodeGear),
    drive=embedded(NodeSide),
    coast=embedded(NodeSide),
    by_modes=INTEGER,  # 0: finite elements
    direction=INTEGER,  # of tooth numbers of B relative to those of A
    towards=NUMBER,  # angle of the place of contact about the axis of A, in its axes at q = 0
    reach=INTEGER,  # teeth on either side of that place
    from_a=INTEGER,  # 1: nodes of A touch the surfaces of B
    from_b=INTEGER,
    penalty=NUMBER,  # of a node [N/m]
    near=NUMBER,  # gap of rigid flanks up to which a node is evaluated [m]
    margin=NUMBER,  # and further, up to which it is listed: the way of the flanks until the list is made again [m]
    deep=NUMBER,  # largest penetration of rigid flanks [m]
    radius_a=NUMBER,  # tip radii [m]
    radius_b=NUMBER,
    area=NUMBER,  # mean area of a node [m^2]
    room=INTEGER,
    entries=behind("room", ENTRY, of="integer"),
    count=INTEGER,  # of entries; negative: there is no list
    listed_a=NUMBER,  # q of both wheels at the list
    listed_b=NUMBER,
    now=NUMBER,  # stamp
    found=inline(FOUND),
    turn=inline(9),  # of the present tooth pair: rotation from the tooth of A to that of B, and position
    shift=inline(3),
    tooth=INTEGER,  # present teeth
    tooth_b=INTEGER,
    # results
    torque_a=NUMBER,  # generalized forces on q of both wheels
    torque_b=NUMBER,
    normal=NUMBER,
    touching=NUMBER,
    most=NUMBER,  # nodes in contact at the same time, so far
    stored=NUMBER,
    pressure=NUMBER,
    deepest=NUMBER,  # largest penetration, so far [m]
    pairs=inline(SLOTS),
)


def padded(count: int) -> int:
    """Number of coordinates, filled up."""
    return -(-count // LANES) * LANES


def node_gear(values: dict[str, Any], nodes: int, coordinates: int) -> dict[str, Any]:
    """Values of a `NodeGear` with its scratch."""
    full = padded(coordinates)
    return {
        "nodes": nodes, "coordinates": coordinates, "padded": full, "stamp": np.zeros(2 * nodes),
        "displacement": np.zeros((2 * nodes, 3)), "force": np.zeros((2 * nodes, 3)), "moving": np.zeros(full),
        "pull": np.zeros(full), **values,
    }  # fmt: skip
